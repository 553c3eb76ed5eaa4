import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

// It compiles the runtime to read its docstrings.
const PATIENCE_MS = 120_000;

test('generated texts are up to date', { timeout: PATIENCE_MS }, () => {
  const script = join(import.meta.dirname, '../scripts/generate.mjs');
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('up to date');
});
