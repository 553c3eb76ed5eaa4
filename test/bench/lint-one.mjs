// One measurement in a process of its own: `node lint-one.mjs <folder> <config>` prints parse and rule times as JSON.
import { readFileSync } from 'node:fs';
import tsParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { sources } from '../../scripts/npm-package.mjs';

const [folder, name] = process.argv.slice(2);

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
let parse = 0;
let ruleMs = 0;
let files = 0;
let lines = 0;
for (const path of sources(folder)) {
  const text = readFileSync(path, 'utf8');
  const linter = new Linter({ configType: 'flat' });
  linter.verify(text, config, { filename: 'file.js', stats: true, allowInlineConfig: false });
  const passes = linter.getTimes().passes;
  for (const pass of passes) {
    parse += pass.parse.total;
    for (const rule of Object.values(pass.rules ?? {})) ruleMs += rule.total;
  }
  files += 1;
  lines += text.split('\n').length;
}
console.log(JSON.stringify({ loadMs, parse, rules: ruleMs, files, lines }));
