// What the rules cost: rule time over parse time of our `recommended` beside others', each in processes of its own, interleaved;
// what loading costs beyond ESLint; what a file costs that the gate keeps out; and how `--fix` grows with the number of files.
import { unpacked } from '../../scripts/npm-package.mjs';
import { LIMIT, measured, median, ruleRatio } from './measure.mjs';

const CORPORA = ['bullmq@6.7.0', '@directus/api@39.2.1'];
const CONFIGS = ['parse-only', 'lockproof', 'typescript-eslint', 'unicorn', 'sonarjs'];
const ROUNDS = 3;
const FILES_TO_FIX = [250, 500, 1000];

/** The results of each case, by case: one of each in turn, so that a busy moment hits all alike. */
async function interleaved(cases, measure) {
  const results = new Map(cases.map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of cases) results.get(name).push(await measure(name));
  }
  return results;
}

let worst = 0;
for (const spec of CORPORA) {
  const folder = await unpacked(spec);
  const results = await interleaved(CONFIGS, (name) => measured('lint-one.mjs', [name, folder]));
  const [{ files, lines, closedFiles }] = results.get('lockproof');
  console.log(`\n${spec}: ${files} files, ${lines} lines, median of ${ROUNDS}`);
  for (const [name, rounds] of results) {
    const ratio = median(rounds.map(ruleRatio)).toFixed(4);
    const load = median(rounds.map(({ loadMs }) => loadMs)).toFixed(0);
    console.log(`  ${name.padEnd(18)} rules/parse ${ratio}   load ${load} ms`);
  }
  worst = Math.max(worst, median(results.get('lockproof').map(ruleRatio)));
  const closedUs = median(results.get('lockproof').map(({ closedMs }) => (closedMs * 1000) / closedFiles));
  console.log(`  the gate keeps out ${closedFiles} files, ${closedUs.toFixed(0)} µs each`);
}

console.log(`\n--fix, median of ${ROUNDS}`);
const fixes = await interleaved(FILES_TO_FIX, (count) => measured('fix-one.mjs', [String(count)]));
const msOf = (count) => median(fixes.get(count).map(({ ms }) => ms));
const [least] = FILES_TO_FIX;
for (const count of FILES_TO_FIX) {
  const growth = (msOf(count) / msOf(least)).toFixed(2);
  console.log(`  ${count} lock files: ${msOf(count).toFixed(0)} ms, ${growth} times those of ${least}`);
}

if (worst > LIMIT) {
  console.error(`\nthe rules of recommended cost ${worst.toFixed(4)} of the parse time, more than ${LIMIT}`);
  process.exit(1);
}
