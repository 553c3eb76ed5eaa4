// One measurement in a process of its own: `node lint-one.mjs <config> <folder>...` prints parse and rule times as JSON.
import { readFileSync } from 'node:fs';
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { textMatters } from 'eslint-plugin-lockproof/gate';
import { sources } from '../../scripts/npm-package.mjs';

const [name, ...folders] = process.argv.slice(2);

const CONFIGS = {
  'parse-only': async () => ({}),
  lockproof: async () => (await import('eslint-plugin-lockproof')).default.configs.recommended,
  'typescript-eslint': async () => {
    const { default: tseslint } = await import('typescript-eslint');
    return {
      plugins: { '@typescript-eslint': tseslint.plugin },
      rules: Object.assign({}, ...tseslint.configs.recommended.map((c) => c.rules)),
    };
  },
  unicorn: async () => (await import('eslint-plugin-unicorn')).default.configs.recommended,
  sonarjs: async () => (await import('eslint-plugin-sonarjs')).default.configs.recommended,
};

const began = performance.now();
const { plugins = {}, rules = {} } = await CONFIGS[name]();
const loadMs = performance.now() - began;

const config = [{ files: ['**/*.js'], languageOptions: { parser: tsParser }, plugins, rules }];
const sum = (values) => values.reduce((total, value) => total + value, 0);
const totals = { loadMs, parseMs: 0, rulesMs: 0, files: 0, lines: 0, closedMs: 0, closedFiles: 0 };
for (const path of folders.flatMap((folder) => [...sources(folder)])) {
  const text = readFileSync(path, 'utf8');
  const linter = new Linter({ configType: 'flat' });
  // `verify` alone counts no passes, and with that no times.
  linter.verifyAndFix(text, config, {
    filename: 'file.js',
    stats: true,
    fix: false,
    allowInlineConfig: false,
  });
  const { passes } = linter.getTimes();
  const rulesMs = sum(passes.flatMap((pass) => Object.values(pass.rules ?? {}).map(({ total }) => total)));
  totals.parseMs += sum(passes.map((pass) => pass.parse.total));
  totals.rulesMs += rulesMs;
  totals.files += 1;
  totals.lines += text.split('\n').length;
  if (textMatters(text)) continue;
  totals.closedMs += rulesMs;
  totals.closedFiles += 1;
}
console.log(JSON.stringify(totals));
