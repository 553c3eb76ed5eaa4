/** The linter for TypeScript, a bundle of its own: TypeScript is most of what the extension weighs. */
import * as parser from '@typescript-eslint/parser';
import { createLockproofLint } from './lint-js.js';

export const lint = createLockproofLint({
  parser,
  parserOptions: { jsDocParsingMode: 'none', warnOnUnsupportedTypeScriptVersion: false },
});
