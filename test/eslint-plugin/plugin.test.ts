import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Linter } from 'eslint';
import { expect, test } from 'vitest';
import { root } from './lint.js';
import { plugin } from './plugin.js';

const manifest = JSON.parse(readFileSync(join(root, 'eslint-plugin/package.json'), 'utf8')) as {
  name: string;
  version: string;
};
const rules = plugin.rules;
const configs = plugin.configs as Record<string, Linter.Config>;

test('says its name and version', () => {
  expect(plugin.meta).toEqual({ name: manifest.name, version: manifest.version, namespace: 'lockproof' });
});

test('require gets the plugin itself, and import the same one', () => {
  const script = `
    const required = require('eslint-plugin-lockproof');
    import('eslint-plugin-lockproof').then(({ default: imported }) => console.log(required === imported, !!required.rules));
  `;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--eval', script], options).trim()).toBe('true true');
});

test.each(['recommended', 'strict', 'all'])(
  '%s is one plain object without files, with rules that exist',
  (name) => {
    const config = configs[name];
    expect(Object.keys(config ?? {}).sort()).toEqual(['name', 'plugins', 'rules']);
    expect(config?.plugins?.lockproof).toBe(plugin);
    for (const rule of Object.keys(config?.rules ?? {}))
      expect(rules[rule.replace('lockproof/', '')]).toBeDefined();
  },
);

test('each config holds the one before it, and all holds every rule', () => {
  const names = (config: string): string[] => Object.keys(configs[config]?.rules ?? {});
  expect(names('strict')).toEqual(expect.arrayContaining(names('recommended')));
  expect(names('all').sort()).toEqual(
    Object.keys(rules)
      .map((rule) => `lockproof/${rule}`)
      .sort(),
  );
});

test.each(Object.entries(rules))('%s: described in both languages, its page named after it', (name, rule) => {
  const docs = rule.meta?.docs as Record<string, string>;
  expect(docs.description).toMatch(/^(?:require|disallow|prefer) /);
  expect(docs.descriptionZh).toMatch(/\p{Script=Han}/u);
  expect(docs.url).toMatch(new RegExp(`/docs/rules/${name}\\.md$`));
  for (const message of Object.values(rule.meta?.messages ?? {})) expect(message).toMatch(/[.…)]$/);
});
