/** `settings.lockproof`: what all rules need to know of a project. */
import { readWrappers, type Wrapper } from './wrappers.js';

export interface LockproofSettings {
  /** Further names to treat as Redis clients. */
  clients: readonly string[];
  /** Parts of keys that are not looked at. */
  ignoreKeys: readonly string[];
  /** `suggest-only` turns every automatic fix into a suggestion. */
  fixes: 'safe' | 'suggest-only';
  /** The functions of a house's own lock helper. */
  wrappers: readonly Wrapper[];
  /** Look at test files, too. */
  tests: boolean;
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

export function readSettings(settings: Readonly<Record<string, unknown>>): LockproofSettings {
  const given = (settings.lockproof ?? {}) as Record<string, unknown>;
  return {
    clients: strings(given.clients),
    ignoreKeys: strings(given.ignoreKeys),
    fixes: given.fixes === 'suggest-only' ? 'suggest-only' : 'safe',
    wrappers: readWrappers(given.wrappers),
    tests: given.tests === true,
  };
}

const TEST_FILE =
  /(?:^|[\\/])(?:__tests__|__mocks__|tests?|spec|e2e)[\\/]|[._-](?:test|tests|spec|e2e|mock)\.[cm]?[jt]sx?$/i;

/** Is the file a test, told by its path below the working directory? */
export function isTestFile(filename: string, cwd: string): boolean {
  const path = filename.startsWith(cwd) ? filename.slice(cwd.length) : filename;
  return TEST_FILE.test(path);
}
