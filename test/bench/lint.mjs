// What the rules cost: rule time over parse time of our `recommended` beside others', each in processes of its own, interleaved.
// Fails when ours is over LIMIT. `--quick`: one round, ours alone.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textMatters } from '../../eslint-plugin/dist/model/gate.js';
import { sources, unpacked } from '../../scripts/npm-package.mjs';
import { readFileSync } from 'node:fs';

const run = promisify(execFile);
const LIMIT = 0.08;
const CORPORA = ['bullmq@6.7.0', '@directus/api@39.2.1'];
const quick = process.argv.includes('--quick');
const rivals =
  existsSync(join(import.meta.dirname, 'node_modules')) && !quick
    ? ['typescript-eslint', 'unicorn', 'sonarjs']
    : [];
const configs = ['parse-only', 'lockproof', ...rivals];
const ROUNDS = quick ? 1 : 3;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

let worst = 0;
for (const spec of CORPORA) {
  const folder = await unpacked(spec);
  const results = Object.fromEntries(configs.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of configs) {
      const { stdout } = await run(process.execPath, [
        join(import.meta.dirname, 'lint-one.mjs'),
        folder,
        name,
      ]);
      results[name].push(JSON.parse(stdout));
    }
  }
  const [{ files, lines }] = results['parse-only'];
  console.log(`\n${spec}: ${files} files, ${lines} lines, ${ROUNDS} round(s)`);
  for (const name of configs) {
    const ratio = median(results[name].map((r) => r.rules / r.parse));
    const load = median(results[name].map((r) => r.loadMs));
    console.log(`  ${name.padEnd(18)} rules/parse ${ratio.toFixed(4)}   load ${load.toFixed(0)} ms`);
    if (name === 'lockproof') worst = Math.max(worst, ratio);
  }
  const texts = [...sources(folder)].map((path) => readFileSync(path, 'utf8'));
  const closed = texts.filter((text) => !textMatters(text));
  const began = performance.now();
  for (let i = 0; i < 20; i++) for (const text of closed) textMatters(text);
  const perFile = ((performance.now() - began) * 1000) / (20 * closed.length);
  console.log(
    `  gate: closed for ${closed.length} of ${texts.length} files, ${perFile.toFixed(1)} µs a file`,
  );
}
if (worst > LIMIT) {
  console.error(`rules/parse ${worst.toFixed(4)} is over ${LIMIT}`);
  process.exit(1);
}
