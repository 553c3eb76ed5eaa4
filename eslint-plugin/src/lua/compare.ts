/** Comparisons: the place where ownership is proved, or not. */
import { both, doubt, NOTHING, proved, type Facts } from './facts.js';
import { constant, merge, type Atom, type Option, type Value } from './values.js';

type Operator = '==' | '~=' | '<' | '<=' | '>' | '>=';

/** What is known where the comparison holds and where it fails; null where it cannot. */
interface Outcome {
  yes: Facts | null;
  no: Facts | null;
}

const EITHER: Outcome = { yes: NOTHING, no: NOTHING };
const ALWAYS: Outcome = { yes: NOTHING, no: null };
const NEVER: Outcome = { yes: null, no: NOTHING };

const OPERATORS = new Set<string>(['==', '~=', '<', '<=', '>', '>='] satisfies Operator[]);

export const isComparison = (operator: string): operator is Operator => OPERATORS.has(operator);

/** `place` names the comparison, to tell its doubts from others'. */
export function compare(operator: Operator, left: Value, right: Value, place: string): Value {
  const options: Option[] = [];
  const add = (result: boolean, outcome: Facts | null, pair: Facts): void => {
    if (outcome) options.push({ atom: { kind: 'constant', value: result }, facts: both(pair, outcome) });
  };
  for (const a of left) {
    for (const b of right) {
      const { yes, no } = outcomeOf(operator, a.atom, b.atom, place);
      const pair = both(a.facts, b.facts);
      add(true, yes, pair);
      add(false, no, pair);
    }
  }
  return options.length > 0 ? merge(options) : constant(false);
}

function outcomeOf(operator: Operator, a: Atom, b: Atom, place: string): Outcome {
  if (operator === '~=') {
    const { yes, no } = equality(a, b, place);
    return { yes: no, no: yes };
  }
  if (operator === '==') return equality(a, b, place);
  if (
    a.kind === 'constant' &&
    b.kind === 'constant' &&
    typeof a.value === 'number' &&
    typeof b.value === 'number'
  ) {
    return ordered(operator, a.value, b.value) ? ALWAYS : NEVER;
  }
  return isPlain(a) && isPlain(b) ? EITHER : unclear(place);
}

function equality(a: Atom, b: Atom, place: string): Outcome {
  return equalityFrom(a, b) ?? equalityFrom(b, a) ?? unclear(place);
}

/** Null when this order of the two says nothing. */
function equalityFrom(a: Atom, b: Atom): Outcome | null {
  if (a.kind === 'constant' && b.kind === 'constant') {
    // '1' against 1 never holds in Lua, and is never what the author meant.
    if (typeof a.value !== typeof b.value && a.value !== null && b.value !== null) return null;
    return a.value === b.value ? ALWAYS : NEVER;
  }
  if (a.kind === 'unknown' || b.kind === 'unknown') return null;
  if (isNothing(a))
    return isNothing(b) ? ALWAYS : b.kind === 'input' && a.kind === 'constant' ? EITHER : NEVER;
  if (isNothing(b)) return null;
  if (a.kind === 'stored' && b.kind === 'input' && b.token) return { yes: proved('compared'), no: NOTHING };
  if (a.kind === 'status' && b.kind === 'constant') return b.value === 'OK' ? ALWAYS : NEVER;
  return isPlain(a) && isPlain(b) ? EITHER : null;
}

/** A reply for nothing is `false`, and scripts compare it with nil as often. */
const isNothing = (atom: Atom): boolean =>
  atom.kind === 'miss' || (atom.kind === 'constant' && (atom.value === null || atom.value === false));

/** Has nothing to do with who owns a key. */
const isPlain = (atom: Atom): boolean =>
  atom.kind === 'constant' || atom.kind === 'input' || atom.kind === 'count';

const unclear = (place: string): Outcome => ({ yes: doubt(`${place} holds`), no: doubt(`${place} fails`) });

function ordered(operator: Operator, a: number, b: number): boolean {
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a >= b;
}
