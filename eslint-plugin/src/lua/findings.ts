/** Which effects of a script are surely wrong in a lock: one piece of logic for strings in JavaScript and for `.lua` files. */
import { HOLE } from './parse.js';
import type { Effect, ScriptVerdict } from './verdict.js';

export interface LockContext {
  /** Does what surrounds the script (a file name, the keys, a function) speak of a lock? */
  speaksOfLock: boolean;
  /** Does it name itself a release or a renewal of one? */
  namesAct: boolean;
  isLockWord: (text: string) => boolean;
}

/** The unguarded effects on a key that is surely a lock's. Empty when the script may be anything else. */
export function lockFindings(verdict: ScriptVerdict, context: LockContext): Effect[] {
  const taken = new Set(verdict.acquisitions.map(({ key }) => JSON.stringify(key)));
  const speaks = context.speaksOfLock || context.namesAct;
  const isNamed = (effect: Effect): boolean => context.isLockWord(`${effect.words} ${builtText(effect)}`);
  const namesLock = verdict.effects.some(isNamed);
  return verdict.effects.filter((effect) => {
    if (effect.guard !== 'unguarded') return false;
    if (taken.has(JSON.stringify(effect.key))) return speaks || isNamed(effect);
    if (beginsWithLock(effect, context)) return true;
    // A write of a constant to a "lock" may as well lock an account out.
    if (effectName(effect) === 'overwrites' || !speaks) return false;
    return namesLock ? isNamed(effect) : context.speaksOfLock && context.namesAct && isMain(effect);
  });
}

/**
 * `'lock:' .. id` is a lock; `job .. ':lock'` may be the companion of a record that the script removes on purpose, so
 * that it needs more evidence.
 */
function beginsWithLock(effect: Effect, { isLockWord }: LockContext): boolean {
  return isLockWord(/^'[^']*'/.exec(builtText(effect))?.[0] ?? '');
}

const SAYS_NOTHING = /^_?(?:k|key|name|resource)?\s*$/i;

/** The key that a script without names for its keys is about: the first, each in a loop, or one that the caller fills in. */
function isMain({ key, words }: Effect): boolean {
  if (!SAYS_NOTHING.test(words)) return false;
  if (key.kind === 'KEYS') return key.index === null || key.index === 1;
  return key.kind === 'built' && (/^ARGV\[\d+\]$/.test(key.text) || HOLE.test(key.text));
}

const builtText = ({ key }: Effect): string => (key.kind === 'built' ? key.text : '');

/** A key made inside the script: in a Cluster it may live on another node than the script runs on. */
export const isBuilt = (effect: Effect): boolean => effect.key.kind === 'built';

/** How a message names the key of an effect. */
export function keyName({ key }: Effect): string {
  if (key.kind === 'KEYS') return `KEYS[${String(key.index ?? 'i')}]`;
  return key.kind === 'built' ? key.text : 'its key';
}

export function effectName({ command }: Effect): 'deletes' | 'extends' | 'overwrites' {
  if (/DEL|UNLINK/.test(command)) return 'deletes';
  return command.includes('EXPIRE') ? 'extends' : 'overwrites';
}
