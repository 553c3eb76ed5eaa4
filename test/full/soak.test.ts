/** The short form of the long run: two processes, the same locks, random faults. How fast it goes is not judged here. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from './support.js';

interface Report {
  acquisitions: number;
  believed: number;
  injected: Record<string, number>;
  checks: { what: string; value: unknown; target: string }[];
}

test('no lock has two holders, every fence rises, and nothing is left behind', async () => {
  const script = join(root, 'test/bench/soak.mjs');
  const args = [script, '--acquisitions', '3000', '--json'];
  // The run ends with 1 for what is judged by time, too; the claims below stand without it.
  const stdout = await run(process.execPath, args, { maxBuffer: 10_000_000 }).then(
    (ended) => ended.stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
  const report = JSON.parse(stdout) as Report;
  const measured = Object.fromEntries(report.checks.map(({ what, value }) => [what, value]));
  expect(measured).toMatchObject({
    'two holders at once': 0,
    'fences that did not rise': 0,
    'fences given twice': 0,
    'ioredis5: ended by itself with': 0,
    'ioredis5: unhandled rejections': 0,
    'redis5: ended by itself with': 0,
    'redis5: unhandled rejections': 0,
  });
  expect(report.acquisitions).toBeGreaterThanOrEqual(3_000);
  expect(report.believed).toBeGreaterThan(2_500);
  expect(Object.values(report.injected).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(5);
});
