/** The functions that Redis gives to scripts, beside `redis.call`. */
import { both } from './facts.js';
import type { State } from './state.js';
import {
  constant,
  COUNT,
  eachOption,
  input,
  NIL,
  only,
  present,
  single,
  split,
  stored,
  textOf,
  UNKNOWN,
  type Atom,
  type Value,
} from './values.js';

/** The values of an expression list; `rest` is what further positions hold. */
export interface Values {
  readonly list: readonly Value[];
  readonly rest: Value;
}

export const values = (list: readonly Value[], rest: Value = NIL): Values => ({ list, rest });
export const valueAt = (from: Values, index: number): Value => from.list[index] ?? from.rest;

const GLOBALS = new Set(
  (
    'redis server cjson cmsgpack bit struct string math table os tonumber tostring type unpack ipairs pairs next ' +
    'select assert error pcall xpcall rawget rawequal setmetatable getmetatable _VERSION'
  ).split(' '),
);

export function globalValue(name: string): Value {
  if (name === 'KEYS' || name === 'ARGV') return only({ kind: 'table', name });
  return GLOBALS.has(name) ? only({ kind: 'library', name }) : UNKNOWN;
}

/** Is it `redis.call` or a sibling? Valkey calls the table `server`, too. */
export const isRedisCall = (name: string): boolean => /^(redis|server)\.p?call$/.test(name);

export const isRegistration = (name: string): boolean => /^(redis|server)\.register_function$/.test(name);

/** Calls a library function; `place` names the call, to tell its doubts from others'. */
export function callLibrary(name: string, args: Values, state: State, place: string): Values {
  const first = valueAt(args, 0);
  switch (name) {
    case 'assert':
      state.assume(split(first, place).yes);
      return args;
    case 'error':
      state.alive = false;
      return values([]);
    case 'unpack':
    case 'table.unpack':
      return unpack(first);
    case 'tonumber':
    case 'tostring':
    case 'cjson.decode':
    case 'cmsgpack.unpack':
      return values([eachOption(first, (atom) => converted(name, atom))]);
    case 'type':
      return values([eachOption(first, typeName)]);
    case 'redis.log':
    case 'table.insert':
      return values([]);
    default:
      return values([derived(args, `${name}()`)]);
  }
}

function unpack(list: Value): Values {
  // `if ttl > 0 then table.insert(args, 'EX') …`: the longest list shows most of what can be in it.
  const lists = list.flatMap(({ atom }) => (atom.kind === 'list' ? [atom.items] : []));
  const longest = lists.toSorted((a, b) => b.length - a.length)[0];
  if (longest && lists.length === list.length) return values(longest);
  const atom = single(list);
  if (atom.kind === 'table') return values([], element(atom.name, null));
  return atom.kind === 'stored' ? values([], maybeStored(atom.text)) : values([], UNKNOWN);
}

/** `KEYS[index]` or `ARGV[index]`; null for any of them. */
export function element(table: 'KEYS' | 'ARGV', index: number | null): Value {
  return input(
    `${table}[${index === null ? '*' : String(index)}]`,
    true,
    table === 'KEYS' ? index : undefined,
  );
}

/** A part of something stored: it may be missing. */
export const maybeStored = (text: string): Value => [...only({ kind: 'miss' }), ...stored(text)];

function converted(name: string, atom: Atom): Value {
  if (atom.kind === 'constant' && name === 'tonumber') {
    const number = Number(atom.value);
    return constant(typeof atom.value === 'string' && Number.isNaN(number) ? null : number);
  }
  if (atom.kind === 'constant' && name === 'tostring') return constant(String(atom.value));
  return atom.kind === 'constant' || atom.kind === 'list' ? input(`${name}(…)`, false) : only(atom);
}

function typeName(atom: Atom): Value {
  if (atom.kind === 'miss') return constant('boolean');
  if (atom.kind === 'count') return constant('number');
  if (atom.kind === 'status' || atom.kind === 'list' || atom.kind === 'table') return constant('table');
  if (atom.kind === 'constant') return constant(atom.value === null ? 'nil' : typeof atom.value);
  return atom.kind === 'unknown' ? UNKNOWN : input('type()', false);
}

/** What a function or operator makes of its operands, when all that matters is where they come from. */
export function derived(args: Values, text: string): Value {
  const atoms = [...args.list, args.rest].flatMap((value) => value.map((option) => option.atom));
  const has = (kind: Atom['kind']): boolean => atoms.some((atom) => atom.kind === kind);
  const token = atoms.some((atom) => atom.kind === 'input' && atom.token);
  if (has('unknown') || has('function')) return UNKNOWN;
  // `string.find(value, token)` may well be an ownership check.
  if (has('stored') || has('miss')) return token ? UNKNOWN : stored(text);
  return has('count') ? COUNT : input(`${text} of ${atoms.map(textOf).join()}`, token);
}

/** `a .. b`: a name for the result, so that equal keys are known to be equal. */
export function concatenation(left: Value, right: Value): Value {
  const joined = present(left).flatMap((a) =>
    present(right).map((b) => ({ atom: joinedAtom(a.atom, b.atom), facts: both(a.facts, b.facts) })),
  );
  const [first] = joined;
  return joined.length === 1 && first ? [first] : eachOption(joined, (atom) => only(atom));
}

function joinedAtom(a: Atom, b: Atom): Atom {
  if (a.kind === 'constant' && b.kind === 'constant') {
    return { kind: 'constant', value: `${String(a.value)}${String(b.value)}` };
  }
  const [left, right] = [textOf(a), textOf(b)];
  if (left === null || right === null)
    return { kind: a.kind === 'count' || b.kind === 'count' ? 'count' : 'unknown' };
  const token = [a, b].some((part) => part.kind === 'input' && part.token);
  const isStored = a.kind === 'stored' || b.kind === 'stored';
  return single(isStored ? stored(`${left}..${right}`) : input(`${left}..${right}`, token));
}
