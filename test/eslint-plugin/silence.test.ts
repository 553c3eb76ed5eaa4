/** Popular packages that know nothing of Redis: not one report. They are those that this workspace itself installs. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Linter } from 'eslint';
import { expect, test } from 'vitest';
import { textMatters } from '../../eslint-plugin/dist/model/gate.js';
import { root } from './lint.js';
import { plugin } from './plugin.js';

const PACKAGES = [
  'acorn',
  'ajv',
  'chai',
  'debug',
  'eslint',
  'espree',
  'esbuild',
  'esquery',
  'fast-check',
  'fast-deep-equal',
  'flat-cache',
  'glob-parent',
  'ignore',
  'keyv',
  'magic-string',
  'minimatch',
  'nanoid',
  'optionator',
  'picomatch',
  'postcss',
  'prettier',
  'rolldown',
  'semver',
  'tinyglobby',
  'vite',
  'vitest',
  'which',
  'ws',
];
const LONGEST = 400_000;

function* scripts(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* scripts(path);
    else if (/\.[cm]?js$/.test(entry.name) && statSync(path).size < LONGEST) yield path;
  }
}

const installed = PACKAGES.map((name) => join(root, 'node_modules', name)).filter((path) => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
});

test('there are at least twenty of them', () => {
  expect(installed.length).toBeGreaterThanOrEqual(20);
});

test.each(installed)('%s', { timeout: 120_000 }, (folder) => {
  const linter = new Linter({ configType: 'flat', cwd: root });
  const reports: string[] = [];
  for (const path of scripts(folder)) {
    const text = readFileSync(path, 'utf8');
    // The gate is what every rule asks first; a file that it closes on can have no report.
    if (!textMatters(text)) continue;
    for (const sourceType of ['module', 'commonjs'] as const) {
      const config: Linter.Config = {
        ...plugin.configs.strict,
        files: ['**/*.js'],
        languageOptions: { sourceType },
      };
      const messages = linter.verify(text, [config], {
        // ESLint ignores node_modules: the text stands for a file of a project.
        filename: 'file.js',
        allowInlineConfig: false,
      });
      if (messages.some((message) => message.fatal)) continue;
      reports.push(...messages.map((message) => `${path}:${String(message.line)} ${message.ruleId ?? ''}`));
      break;
    }
  }
  expect(reports).toEqual([]);
});
