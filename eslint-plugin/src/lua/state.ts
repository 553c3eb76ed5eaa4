/** Variables and facts at one point of a script. */
import { both, either, NOTHING, type Facts } from './facts.js';
import { merge, under, UNKNOWN, type Value } from './values.js';

export interface Variable {
  /** Assigned inside a function: what it holds depends on calls, so its value is never known. */
  shared: boolean;
}

/** Names that can be seen from a block. */
export class Scope {
  readonly #names = new Map<string, Variable>();
  readonly #outer: Scope | null;

  constructor(outer: Scope | null = null) {
    this.#outer = outer;
  }

  declare(name: string): Variable {
    const variable = { shared: false };
    this.#names.set(name, variable);
    return variable;
  }

  find(name: string): Variable | null {
    return this.#names.get(name) ?? this.#outer?.find(name) ?? null;
  }
}

/** A branch keeps its own writes until it is merged, so that the cost follows what a branch does. */
export class State {
  facts: Facts;
  /** False after `return`, `break` or `error()`. */
  alive = true;
  readonly #outer: State | null;
  readonly #writes = new Map<Variable, Value>();

  constructor(facts: Facts = NOTHING, outer: State | null = null) {
    this.facts = facts;
    this.#outer = outer;
  }

  /** A branch that starts here, and is alive only where its condition can hold. */
  branch(condition: Facts | null): State {
    const branch = new State(both(this.facts, condition ?? NOTHING), this);
    branch.alive = this.alive && condition !== null;
    return branch;
  }

  /** The end of a path that jumps out to `target`, as a branch of it. */
  jumpTo(target: State): State {
    const end = new State(this.facts, target);
    end.alive = this.alive;
    this.#copyWrites(end, target);
    return end;
  }

  read(variable: Variable): Value {
    return variable.shared ? UNKNOWN : (this.#lookUp(variable) ?? UNKNOWN);
  }

  write(variable: Variable, value: Value): void {
    this.#writes.set(variable, value);
  }

  assume(facts: Facts | null): void {
    if (facts) this.facts = both(this.facts, facts);
    else this.alive = false;
  }

  /** Goes on from where its branches end. */
  meet(branches: readonly State[]): void {
    const ends = branches.filter((branch) => branch.alive);
    if (ends.length === 0) {
      this.alive = false;
      return;
    }
    for (const variable of new Set(ends.flatMap((end) => [...end.#writes.keys()]))) {
      if (this.#lookUp(variable)) this.write(variable, valueAfter(ends, variable));
    }
    this.facts = ends.map((end) => end.facts).reduce(either);
  }

  #lookUp(variable: Variable): Value | undefined {
    const outer = this.#outer;
    return this.#writes.get(variable) ?? (outer ? outer.#lookUp(variable) : undefined);
  }

  /** Outer writes first: the later ones count. */
  #copyWrites(to: State, until: State): void {
    if (this === until) return;
    if (this.#outer) this.#outer.#copyWrites(to, until);
    for (const [variable, value] of this.#writes) to.#writes.set(variable, value);
  }
}

function valueAfter(ends: readonly State[], variable: Variable): Value {
  const [first] = ends;
  if (ends.length === 1 && first) return first.read(variable);
  return merge(ends.flatMap((end) => under(end.read(variable), end.facts)));
}
