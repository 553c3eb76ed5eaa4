import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    globalSetup: ['global-setup.ts'],
    testTimeout: 180_000,
    hookTimeout: 60_000,
  },
});
