// Fails when the rules of `recommended` cost more than LIMIT of the parse time, on packages that `npm ci` has installed.
import { join } from 'node:path';
import { LIMIT, measured, median, ruleRatio } from './measure.mjs';

const ROUNDS = 3;
const CORPUS = ['@redis/client', 'ioredis', 'eslint/lib'];

const folders = CORPUS.map((name) => join(import.meta.dirname, '../../node_modules', name));
const rounds = [];
for (let round = 0; round < ROUNDS; round++)
  rounds.push(await measured('lint-one.mjs', ['lockproof', ...folders]));

const ratios = rounds.map(ruleRatio);
const [{ files, lines }] = rounds;
console.log(`${CORPUS.join(', ')}: ${files} files, ${lines} lines`);
console.log(
  `rules/parse ${ratios.map((ratio) => ratio.toFixed(4)).join(' ')}, median ${median(ratios).toFixed(4)}`,
);
if (median(ratios) > LIMIT) {
  console.error(`the rules of recommended cost more than ${LIMIT} of the parse time`);
  process.exit(1);
}
