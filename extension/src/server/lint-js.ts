/** The linter for JavaScript, a bundle of its own that is loaded with the first text that matters. */
import type { Linter } from 'eslint';
import lockproof from 'eslint-plugin-lockproof';
import { createLint } from './engine.js';

/** Builds a linter with the bundled plugin's recommended rules. */
export function createLockproofLint(languageOptions: Linter.LanguageOptions) {
  return createLint(lockproof.configs.recommended, languageOptions);
}

export const lint = createLockproofLint({ parserOptions: { ecmaFeatures: { jsx: true } } });
