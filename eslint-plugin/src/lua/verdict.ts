/** The verdict on a Redis script: does it take, release or renew a lock, and does it check the owner first? */
import { traceScript } from './flow.js';
import { notesOnKeys } from './notes.js';
import { HOLE, parseLua } from './parse.js';
import { isDelete } from './commands.js';
import type { Acquisition, Effect, KeyOrigin, Trace } from './trace.js';
import type { Atom, Option } from './values.js';

export type { Effect, KeyOrigin };

/** `several`: one script that takes and releases, by a sub-command. `other`: no lock that we can see. */
type Role = 'acquire' | 'release' | 'renew' | 'several' | 'other';

export interface ScriptVerdict {
  /** False for text that is no Lua 5.1; the rest is then empty. */
  parsed: boolean;
  /** Does JavaScript fill in parts (`__js_0__`)? */
  holes: boolean;
  /** Deletions, extensions and overwrites in the order of the text, one for each key. */
  effects: readonly Effect[];
  /** SET … NX, SETNX, or a write of a token to a key that was seen to be missing. */
  acquisitions: readonly Acquisition[];
  acquires: boolean;
  role: Role;
  /** Can the caller tell success from failure by the reply? False only when surely not, and for role `other`. */
  answers: boolean;
}

const NOTHING_SEEN = {
  effects: [],
  acquisitions: [],
  acquires: false,
  role: 'other',
  answers: false,
} as const;

/**
 * Judges a script; never throws.
 *
 * @param text Lua 5.1, with an identifier `__js_0__`, `__js_1__` … for each part that JavaScript fills in. Such a part
 *   counts as a value from the caller, like ARGV.
 */
export function judgeScript(text: string): ScriptVerdict {
  const holes = HOLE.test(text);
  const parse = parseLua(text);
  if (!parse.ok) return { parsed: false, holes, ...NOTHING_SEEN };
  const trace = traceScript(parse.chunk);
  const acts = trace.acts();
  const acquisitions = trace.acquisitions();
  const acquires = acquisitions.length > 0;
  const owned = acts.filter((act) => act.guard === 'compared' && act.proofs.has('compared'));
  const role = roleOf(
    acquires,
    owned.some((act) => isDelete(act.command)),
    owned.some((act) => !isDelete(act.command)),
  );
  const notes = notesOnKeys(parse.comments);
  const effects = acts.map(({ command, key, guard, range, words }): Effect => {
    const note = key.kind === 'KEYS' ? notes.get(key.index) : undefined;
    return { command, key, guard, range, words: note ? `${words} ${note}` : words };
  });
  return {
    parsed: true,
    holes,
    effects,
    acquisitions,
    acquires,
    role,
    answers: answers(role, trace),
  };
}

/** The script takes a lock (it may also extend one that the caller already holds). */
export const isAcquire = (verdict: ScriptVerdict): boolean => verdict.role === 'acquire';

/** The script deletes a lock after comparing its owner, and does nothing else to locks without comparing. */
export const isCompareAndDelete = (verdict: ScriptVerdict): boolean =>
  verdict.role === 'release' && verdict.effects.every((effect) => effect.guard !== 'unguarded');

/** The script extends a lock after comparing its owner, and does nothing else to locks without comparing. */
export const isCompareAndExtend = (verdict: ScriptVerdict): boolean =>
  verdict.role === 'renew' && verdict.effects.every((effect) => effect.guard !== 'unguarded');

function roleOf(acquires: boolean, releases: boolean, renews: boolean): Role {
  if (acquires) return releases ? 'several' : 'acquire';
  if (releases) return 'release';
  return renews ? 'renew' : 'other';
}

/** Is there a reply that is possible only where a proof was found? */
function answers(role: Role, { answers: options }: Trace): boolean {
  if (role === 'other' || role === 'several') return role === 'several';
  const success = options.filter((option) => option.facts.safe);
  const failure = options.filter((option) => !option.facts.safe);
  const labels = (of: readonly Option[]): (string | null)[] => of.map((option) => replyLabel(option.atom));
  const [yes, no] = [labels(success), labels(failure)];
  if (yes.includes(null) || no.includes(null)) return true;
  return yes.some((label) => !no.includes(label));
}

/** Lua's `false` arrives as nil, `true` as 1. */
function constantLabel(value: string | number | boolean | null): string {
  if (value === null || value === false) return 'nil';
  return value === true ? '1' : JSON.stringify(value);
}

/** What the client sees; null when that cannot be told. */
function replyLabel(atom: Atom): string | null {
  switch (atom.kind) {
    case 'miss':
      return 'nil';
    case 'constant':
      return constantLabel(atom.value);
    case 'count':
    case 'status':
      return atom.kind;
    case 'list': {
      const items = atom.items.map((item) =>
        item.length === 1 && item[0] ? replyLabel(item[0].atom) : null,
      );
      return items.includes(null) ? null : `{${items.join()}}`;
    }
    default:
      return null;
  }
}
