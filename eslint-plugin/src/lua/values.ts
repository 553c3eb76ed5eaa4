/** What a Lua expression may hold, as far as locks are concerned. */
import type { lua } from './ast.js';
import { both, doubt, either, NOTHING, type Facts } from './facts.js';
import type { Scope } from './state.js';

export type Atom =
  | { kind: 'constant'; value: string | number | boolean | null }
  /** Reply for a key, field or member that does not exist: `false` in Lua, but nil once it was looked up in a table. */
  | { kind: 'miss' }
  /** Made of KEYS, ARGV, holes and literals; `token` when it can be the caller's own value. */
  | { kind: 'input'; text: string; token: boolean; keyIndex?: number | null }
  /** Came out of Redis: a value that a key holds, or a part of it. */
  | { kind: 'stored'; text: string }
  /** A number that Redis counted: tells that something exists, never whose it is. */
  | { kind: 'count' }
  /** `{ ok = 'OK' }` */
  | { kind: 'status' }
  | { kind: 'list'; items: readonly Value[] }
  | { kind: 'table'; name: 'KEYS' | 'ARGV' }
  | { kind: 'library'; name: string }
  | { kind: 'function'; declaration: lua.FunctionDeclaration; scope: Scope }
  | { kind: 'unknown' };

/** One thing that a value may be, with what is known on the paths where it is that. */
export interface Option {
  readonly atom: Atom;
  readonly facts: Facts;
}

/** Never empty. */
export type Value = readonly Option[];

const MOST_OPTIONS = 8;
const LONGEST_TEXT = 120;

export const only = (atom: Atom): Value => [{ atom, facts: NOTHING }];
export const constant = (value: string | number | boolean | null): Value => only({ kind: 'constant', value });
export const input = (text: string, token: boolean, keyIndex?: number | null): Value =>
  only({
    kind: 'input',
    text: text.slice(0, LONGEST_TEXT),
    token,
    ...(keyIndex !== undefined && { keyIndex }),
  });
export const stored = (text: string): Value => only({ kind: 'stored', text: text.slice(0, LONGEST_TEXT) });

export const UNKNOWN: Value = only({ kind: 'unknown' });
export const NIL: Value = constant(null);
export const COUNT: Value = only({ kind: 'count' });
export const STATUS: Value = only({ kind: 'status' });

/** The options as one value; equal ones are joined, and too many give up. */
export function merge(options: readonly Option[]): Value {
  const merged: Option[] = [];
  for (const option of options) {
    const at = merged.findIndex((other) => sameAtom(other.atom, option.atom));
    const other = merged[at];
    if (other) merged[at] = { atom: other.atom, facts: either(other.facts, option.facts) };
    else if (merged.length === MOST_OPTIONS) return UNKNOWN;
    else merged.push(option);
  }
  return merged.length > 0 ? merged : UNKNOWN;
}

export const choice = (...options: [Value, Facts][]): Value =>
  merge(options.flatMap(([value, facts]) => under(value, facts)));

/** The value on a path where `facts` hold. */
export const under = (value: Value, facts: Facts): Value =>
  value.map((option) => ({ atom: option.atom, facts: both(facts, option.facts) }));

export const eachOption = (value: Value, change: (atom: Atom) => Value): Value =>
  merge(value.flatMap((option) => under(change(option.atom), option.facts)));

/** The atom of a value that can be one thing alone. */
export function single(value: Value | undefined): Atom {
  const [option, another] = value ?? [];
  return option && !another ? option.atom : { kind: 'unknown' };
}

/** The value where it is more than a missing one: the other way, using it as a key or in a text is an error in Lua. */
export function present(value: Value): Value {
  const rest = value.filter(
    ({ atom }) => atom.kind !== 'miss' && !(atom.kind === 'constant' && atom.value === null),
  );
  return rest.length > 0 ? rest : value;
}

export const constantOf = (value: Value | undefined): string | number | boolean | null | undefined => {
  const atom = single(value);
  return atom.kind === 'constant' ? atom.value : undefined;
};

/** What is known whichever option it turns out to be; null for none. */
export const commonFacts = (options: readonly Option[]): Facts | null =>
  options.length > 0 ? options.map((option) => option.facts).reduce(either) : null;

export const isToken = (value: Value | undefined): boolean =>
  value?.some(({ atom }) => atom.kind === 'input' && atom.token) ?? false;

/** The options that count as true, and those that count as false. `place` names the condition that asks. */
export function halves(value: Value, place: string): { truthy: Option[]; falsy: Option[] } {
  const truthy: Option[] = [];
  const falsy: Option[] = [];
  for (const { atom, facts } of value) {
    const truth = truthOf(atom);
    const because = (outcome: string): Facts =>
      atom.kind === 'unknown' ? both(facts, doubt(place + outcome)) : facts;
    if (truth !== false) truthy.push({ atom, facts: because(' holds') });
    if (truth === undefined)
      falsy.push({ atom: { kind: 'constant', value: false }, facts: because(' fails') });
    if (truth === false) falsy.push({ atom, facts });
  }
  return { truthy, falsy };
}

/** What is known where the value counts as true, and where not; null where that cannot be. */
export function split(value: Value, place: string): { yes: Facts | null; no: Facts | null } {
  const { truthy, falsy } = halves(value, place);
  return { yes: commonFacts(truthy), no: commonFacts(falsy) };
}

/** Lua's truth: only nil and false are false, 0 is true. Undefined where both can be. */
function truthOf(atom: Atom): boolean | undefined {
  if (atom.kind === 'constant') return atom.value !== null && atom.value !== false;
  if (atom.kind === 'miss') return false;
  return atom.kind === 'unknown' || atom.kind === 'input' ? undefined : true;
}

/** A name for the value, equal for equal expressions; null when it cannot be named. */
export function textOf(atom: Atom): string | null {
  switch (atom.kind) {
    case 'constant':
      return typeof atom.value === 'string' ? `'${atom.value}'` : String(atom.value);
    case 'input':
    case 'stored':
      return atom.text;
    default:
      return null;
  }
}

function sameAtom(a: Atom, b: Atom): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'constant' && b.kind === 'constant') return a.value === b.value;
  if (a.kind === 'library' && b.kind === 'library') return a.name === b.name;
  if (a.kind === 'function' && b.kind === 'function') return a.declaration === b.declaration;
  if (a.kind === 'list') return false;
  return a.kind === 'table' ? a.name === (b as typeof a).name : textOf(a) === textOf(b);
}
