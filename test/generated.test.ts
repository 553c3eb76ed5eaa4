import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('generated tables are up to date', () => {
  const script = join(import.meta.dirname, '../scripts/generate.mjs');
  expect(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' })).toContain('up to date');
});
