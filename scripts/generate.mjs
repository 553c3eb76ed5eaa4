// Writes what is made from the rules' own data into the READMEs and the rules' pages, and the page of the runtime's exports. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import plugin from 'eslint-plugin-lockproof';
import { format, resolveConfig } from 'prettier';
import { apiPage } from './generate/api.mjs';
import { PAGES, pageName } from './generate/page-name.mjs';
import { ruleFacts, ruleOptions } from './generate/page.mjs';
import { rulesTable } from './generate/rules-table.mjs';
import { between, LANGUAGES } from './generate/texts.mjs';

/** Texts about rules with generated parts: their paths, and how the parts are filled. */
const RULE_TEXTS = LANGUAGES.flatMap((language) => {
  const readme = language === 'zh' ? 'README.zh-CN.md' : 'README.md';
  const table = (pages) => (text) => between(text, 'rules', rulesTable(language, pages));
  return [
    { path: readme, fill: table(`${PAGES}/`) },
    { path: `eslint-plugin/${readme}`, fill: table('docs/rules/') },
    ...Object.keys(plugin.rules).map((rule) => ({
      path: `${PAGES}/${pageName(rule, language)}`,
      fill: (text) =>
        between(between(text, 'rule', ruleFacts(rule, language)), 'options', ruleOptions(rule, language)),
    })),
  ];
});
const TEXTS = [...RULE_TEXTS, { path: 'runtime/docs/api.md', fill: apiPage }];

const check = process.argv.includes('--check');
const stale = [];
for (const { path, fill } of TEXTS) {
  const url = new URL(`../${path}`, import.meta.url);
  // That no page is missing is claimed by the tests of the pages.
  if (!existsSync(url)) continue;
  const before = readFileSync(url, 'utf8');
  let filled;
  try {
    filled = await fill(before);
  } catch (error) {
    console.error(`${path}: ${error.message}`);
    process.exit(1);
  }
  const after = await format(filled, { ...(await resolveConfig(url)), filepath: path });
  if (after === before) continue;
  stale.push(path);
  if (!check) writeFileSync(url, after);
}
if (check && stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run \`npm run generate\``);
  process.exit(1);
}
console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'everything is up to date');
