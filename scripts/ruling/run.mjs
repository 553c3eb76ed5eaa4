// Lints pinned npm packages that ship Redis code and compares the reports, a line each, with the judged list beside this file.
// `--write` adds new reports to the list as `unjudged`; the run fails while there is one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import lockproof from 'eslint-plugin-lockproof';
import { sources, unpacked } from '../npm-package.mjs';

const here = import.meta.dirname;
const LIST = join(here, 'reports.txt');
const VERDICTS = ['right', 'wrong', 'unsure'];

const config = {
  files: ['**/*.js'],
  languageOptions: { parser: tsParser, parserOptions: { ecmaFeatures: { jsx: true } } },
  ...lockproof.configs.recommended,
};

/** The same code is shipped as ES module and CommonJS: one line for each place of the code, not of the copies. */
function reportsOf(spec, folder) {
  const lines = new Set();
  for (const path of sources(folder)) {
    // ESLint ignores node_modules, where the cache stands.
    const messages = new Linter({ configType: 'flat' }).verify(readFileSync(path, 'utf8'), [config], {
      filename: 'file.js',
      allowInlineConfig: false,
    });
    for (const { fatal, ruleId, line } of messages) {
      if (!fatal && ruleId) lines.add(`${spec} ${relative(folder, path)}:${line} ${ruleId}`);
    }
  }
  return [...lines];
}

const packages = JSON.parse(readFileSync(join(here, 'packages.json'), 'utf8'));
const began = performance.now();
const found = new Set();
for (let i = 0; i < packages.length; i += 4) {
  const group = packages.slice(i, i + 4);
  const folders = await Promise.all(group.map(unpacked));
  group.forEach((spec, n) => reportsOf(spec, folders[n]).forEach((line) => found.add(line)));
  if (process.stdout.isTTY)
    process.stdout.write(`\r${Math.min(i + 4, packages.length)} of ${packages.length} packages`);
}
if (process.stdout.isTTY) process.stdout.write('\n');

/** `package file:line rule — verdict: reason` */
const judged = new Map(
  (existsSync(LIST) ? readFileSync(LIST, 'utf8') : '')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [report, verdict] = line.split(' — ');
      return [report, verdict ?? 'unjudged'];
    }),
);
const added = [...found].filter((line) => !judged.has(line)).sort();
const gone = [...judged.keys()].filter((line) => !found.has(line));
for (const line of added) console.log(`new: ${line}`);
for (const line of gone) console.log(`gone: ${line}`);
if (process.argv.includes('--write')) {
  const lines = [...found].sort().map((line) => `${line} — ${judged.get(line) ?? 'unjudged'}`);
  writeFileSync(LIST, `# package file:line rule — right|wrong|unsure: reason\n${lines.join('\n')}\n`);
}
const count = (verdict) => [...found].filter((line) => judged.get(line)?.startsWith(verdict)).length;
const unjudged = found.size - VERDICTS.reduce((sum, verdict) => sum + count(verdict), 0);
console.log(
  `${packages.length} packages, ${found.size} reports: ${VERDICTS.map((v) => `${count(v)} ${v}`).join(', ')}, ${unjudged} unjudged (${Math.round((performance.now() - began) / 1000)} s)`,
);
process.exit(added.length + gone.length + unjudged > 0 && !process.argv.includes('--write') ? 1 : 0);
