import eslintPlugin from 'eslint-plugin-eslint-plugin';
import lockproof from 'eslint-plugin-lockproof';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {
    ignores: ['**/dist/**', '**/node_modules/**', 'test/**/fixtures/**', 'artifacts/**'],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Numbers in messages need no String().
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['eslint-plugin/src/**/*.ts'],
    extends: [eslintPlugin.configs.recommended],
    rules: {
      // The enum of node types would be a run-time import; its values are the strings that we compare with.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
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
