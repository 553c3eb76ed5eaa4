// Writes the tables that are made from the rules' own data into the READMEs. `--check` only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import plugin from 'eslint-plugin-lockproof';
import { format, resolveConfig } from 'prettier';

const TEXTS = {
  en: {
    head: ['rule', 'what it does', 'configs', 'repair'],
    fix: 'fix',
    suggestion: 'suggestion',
    warn: 'warning',
  },
  zh: { head: ['规则', '作用', '配置', '修复'], fix: '自动修复', suggestion: '建议', warn: '警告' },
};
const CONFIGS = ['recommended', 'strict', 'all'];

const FILES = [
  { path: 'README.md', language: 'en' },
  { path: 'README.zh-CN.md', language: 'zh' },
];

function rulesTable(language) {
  const text = TEXTS[language];
  const rows = Object.entries(plugin.rules)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, { meta }]) => {
      const { docs } = meta;
      const configs = CONFIGS.slice(CONFIGS.indexOf(docs.config))
        .map((c) => `\`${c}\``)
        .join(' ');
      const level = docs.level === 'warn' ? ` (${text.warn})` : '';
      const repair = [meta.fixable ? text.fix : '', meta.hasSuggestions ? text.suggestion : '']
        .filter(Boolean)
        .join(', ');
      return `| \`${name}\` | ${language === 'zh' ? docs.descriptionZh : docs.description} | ${configs}${level} | ${repair} |`;
    });
  return [`| ${text.head.join(' | ')} |`, '|---|---|---|---|', ...rows].join('\n');
}

const check = process.argv.includes('--check');
const stale = [];
for (const { path, language } of FILES) {
  const url = new URL(`../${path}`, import.meta.url);
  const before = readFileSync(url, 'utf8');
  const marked = before.replace(
    /<!-- rules:start -->[\s\S]*<!-- rules:end -->/,
    `<!-- rules:start -->\n\n${rulesTable(language)}\n\n<!-- rules:end -->`,
  );
  const after = await format(marked, { ...(await resolveConfig(url)), filepath: path });
  if (after === before) continue;
  stale.push(path);
  if (!check) writeFileSync(url, after);
}
if (check && stale.length > 0) {
  console.error(`out of date: ${stale.join(', ')}; run \`npm run generate\``);
  process.exit(1);
}
console.log(stale.length > 0 ? `written: ${stale.join(', ')}` : 'tables are up to date');
