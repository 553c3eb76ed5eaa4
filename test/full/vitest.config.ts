import { defineConfig } from 'vitest/config';

/** What needs the registry, or more time than a change should wait for. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
