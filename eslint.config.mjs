import eslintPlugin from 'eslint-plugin-eslint-plugin';
import lockproof from 'eslint-plugin-lockproof';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noUntypedPromise = {
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
};

export default defineConfig(
  {
    ignores: ['**/dist/**', '**/node_modules/**', 'test/**/fixtures/**', 'artifacts/**'],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: noUntypedPromise,
  },
  {
    files: ['eslint-plugin/src/**/*.ts'],
    extends: [eslintPlugin.configs.recommended],
    rules: {
      'eslint-plugin/require-meta-docs-url': 'off',
      'eslint-plugin/require-meta-schema-description': 'error',
      'eslint-plugin/require-meta-default-options': 'error',
    },
  },
  {
    files: ['**/*.{ts,mjs,js}'],
    ignores: ['examples/*/src/before/**'],
    extends: [lockproof.configs.strict],
    settings: { lockproof: { tests: true } },
  },
);
