/** Statements: walks every path of a script and notes down what it does (see `Trace`). */
import { assignedNames, callArguments, isCall, rangeOf, type lua } from './ast.js';
import { append, DEEPEST, evaluate, evaluateAll, type Context } from './evaluate.js';
import { both, doubt, either, mayHaveSkipped, NOTHING, type Facts } from './facts.js';
import { element, maybeStored, valueAt, values, type Values } from './library.js';
import { Scope, State, type Variable } from './state.js';
import { Trace } from './trace.js';
import { input, merge, single, split, under, UNKNOWN, type Value } from './values.js';

interface Frame extends Context {
  /** The nearest loop: where it started, and the paths that left it by `break`. */
  loop: { start: State; breaks: State[] } | null;
  /** What the paths out of this function return. */
  returns: { values: Values; facts: Facts }[];
}

/** Functions are looked into where they are called, up to so many statements in all. */
const MOST_INLINED = 20_000;
/** One call goes as deep as so many nested blocks: five calls on top of each other are looked into. */
const CALL_DEPTH = DEEPEST / 5;

/** Runs the whole script, then the functions that nothing in it calls. */
export function traceScript(chunk: lua.Chunk): Trace {
  const walk = new Walk();
  walk.script(chunk);
  return walk.trace;
}

class Walk {
  readonly trace = new Trace();
  readonly #met = new Map<lua.FunctionDeclaration, Scope>();
  readonly #entered = new Set<lua.FunctionDeclaration>();
  #inlined = 0;

  script(chunk: lua.Chunk): void {
    const state = new State();
    const frame = this.#frame(new Scope(), 0);
    this.#block(chunk.body, frame, state);
    if (state.alive) frame.returns.push({ values: values([]), facts: state.facts });
    this.trace.answers.push(...valueAt(returnedValues(frame.returns), 0));
    this.#uncalled();
  }

  /** Who calls them, and after which check, cannot be seen. */
  #uncalled(): void {
    for (const [declaration, scope] of this.#met) {
      if (this.#entered.has(declaration)) continue;
      const state = new State(doubt('the caller is not known'));
      this.#function(declaration, scope, values([], UNKNOWN), 0, state);
    }
  }

  #frame(scope: Scope, depth: number): Frame {
    return {
      trace: this.trace,
      scope,
      depth,
      loop: null,
      returns: [],
      invoke: (declaration, home, args, from, state) => {
        this.#inlined += declaration.body.length + 1;
        if (from.depth + CALL_DEPTH > DEEPEST || this.#inlined > MOST_INLINED) return values([], UNKNOWN);
        return this.#function(declaration, home, args, from.depth + CALL_DEPTH, state);
      },
      meet: (declaration, home) => {
        if (this.#met.has(declaration)) return;
        this.#met.set(declaration, home);
        for (const name of assignedNames(declaration.body)) share(home.find(name));
      },
    };
  }

  #function(node: lua.FunctionDeclaration, home: Scope, args: Values, depth: number, state: State): Values {
    this.#entered.add(node);
    const frame = this.#frame(new Scope(home), depth);
    const body = state.branch(NOTHING);
    node.parameters.forEach((parameter, i) => {
      if (parameter.type === 'Identifier') body.write(frame.scope.declare(parameter.name), valueAt(args, i));
    });
    this.#block(node.body, frame, body);
    if (body.alive) frame.returns.push({ values: values([]), facts: body.facts });
    // Outer variables that a function assigns are `shared`, so only the facts come back.
    state.assume(frame.returns.map((end) => end.facts).reduce<Facts | null>(join, null));
    return returnedValues(frame.returns);
  }

  #block(body: readonly lua.Statement[], frame: Frame, state: State): void {
    this.#statements(body, inner(frame), state);
  }

  #statements(body: readonly lua.Statement[], frame: Frame, state: State): void {
    if (frame.depth > DEEPEST) return;
    for (const statement of body) this.#statement(statement, frame, state);
  }

  #statement(node: lua.Statement, frame: Frame, state: State): void {
    switch (node.type) {
      case 'LocalStatement':
        this.#local(node, frame, state);
        break;
      case 'AssignmentStatement':
        this.#assignment(node, frame, state);
        break;
      case 'CallStatement':
        evaluate(node.expression, frame, state);
        break;
      case 'FunctionDeclaration':
        this.#declaration(node, frame, state);
        break;
      case 'ReturnStatement':
        this.#return(node, frame, state);
        break;
      case 'BreakStatement':
        if (frame.loop && state.alive) frame.loop.breaks.push(state.jumpTo(frame.loop.start));
        state.alive = false;
        break;
      case 'IfStatement':
        this.#if(node, frame, state);
        break;
      case 'DoStatement':
        this.#block(node.body, frame, state);
        break;
      case 'WhileStatement':
        this.#while(node, frame, state);
        break;
      case 'RepeatStatement':
        this.#repeat(node, frame, state);
        break;
      case 'ForNumericStatement':
        this.#forNumeric(node, frame, state);
        break;
      case 'ForGenericStatement':
        this.#forGeneric(node, frame, state);
        break;
      default: // `goto` and labels are not Lua 5.1.
    }
  }

  #local(node: lua.LocalStatement, frame: Frame, state: State): void {
    const given = evaluateAll(node.init, frame, state);
    node.variables.forEach(({ name }, i) => {
      state.write(frame.scope.declare(name), valueAt(given, i));
    });
  }

  #assignment(node: lua.AssignmentStatement, frame: Frame, state: State): void {
    const given = evaluateAll(node.init, frame, state);
    node.variables.forEach((target, i) => {
      if (target.type !== 'Identifier') {
        append(target.base, values([valueAt(given, i)]), frame, state);
        return;
      }
      const variable = frame.scope.find(target.name);
      if (variable) state.write(variable, valueAt(given, i));
    });
  }

  #declaration(node: lua.FunctionDeclaration, frame: Frame, state: State): void {
    if (node.identifier?.type !== 'Identifier') {
      evaluate(node, frame, state);
      return;
    }
    const { name } = node.identifier;
    // Declared before it is looked at: a function can call itself.
    const variable = (node.isLocal ? null : frame.scope.find(name)) ?? frame.scope.declare(name);
    state.write(variable, evaluate(node, frame, state));
  }

  #return(node: lua.ReturnStatement, frame: Frame, state: State): void {
    const returned = evaluateAll(node.arguments, frame, state);
    if (state.alive) frame.returns.push({ values: returned, facts: state.facts });
    state.alive = false;
  }

  #if(node: lua.IfStatement, frame: Frame, state: State): void {
    const ends: State[] = [];
    const otherwise = state.branch(NOTHING);
    for (const clause of node.clauses) {
      if (clause.type === 'ElseClause') {
        this.#block(clause.body, frame, otherwise);
        break;
      }
      const { yes, no } = split(evaluate(clause.condition, frame, otherwise), placeOf(clause));
      const branch = state.branch(yes && both(otherwise.facts, yes));
      branch.alive &&= otherwise.alive;
      this.#block(clause.body, frame, branch);
      ends.push(branch);
      otherwise.assume(no);
    }
    state.meet([...ends, otherwise]);
  }

  #while(node: lua.WhileStatement, frame: Frame, state: State): void {
    const isEndless = node.condition.type === 'BooleanLiteral' && node.condition.value;
    let left: Facts | null = null;
    this.#loop(node, frame, state, isEndless ? 'endless' : 'maybe', (body, run) => {
      const { yes, no } = split(evaluate(node.condition, body, run), placeOf(node));
      left = no;
      run.assume(yes);
      this.#statements(node.body, body, run);
    });
    state.assume(onlyProof(left));
  }

  #repeat(node: lua.RepeatStatement, frame: Frame, state: State): void {
    let left: Facts | null = null;
    this.#loop(node, frame, state, 'once', (body, run) => {
      this.#statements(node.body, body, run);
      left = split(evaluate(node.condition, body, run), placeOf(node)).yes;
    });
    state.assume(onlyProof(left));
  }

  #forNumeric(node: lua.ForNumericStatement, frame: Frame, state: State): void {
    const end = single(
      evaluateAll([node.start, ...(node.step ? [node.step] : []), node.end], frame, state).list.at(-1),
    );
    const runs = end.kind === 'input' || end.kind === 'constant' ? 'once' : 'maybe';
    this.#loop(node, frame, state, runs, (body, run) => {
      run.write(body.scope.declare(node.variable.name), input(node.variable.name, false));
      this.#statements(node.body, body, run);
    });
  }

  #forGeneric(node: lua.ForGenericStatement, frame: Frame, state: State): void {
    const [iterator] = node.iterators;
    const item = iterator ? itemOf(iterator, frame, state) : UNKNOWN;
    this.#loop(node, frame, state, item === UNKNOWN ? 'maybe' : 'once', (body, run) => {
      node.variables.forEach(({ name }, i) => {
        run.write(body.scope.declare(name), i === 0 && item !== UNKNOWN ? input(name, false) : item);
      });
      this.#statements(node.body, body, run);
    });
  }

  /**
   * Walks a loop's body one time, for any of its runs: what the body assigns is unknown at its start.
   *
   * @param runs `once`: it runs for all that matters (over no keys at all, nothing is deleted); `maybe`: not for sure;
   *   `endless`: only `break` leaves it.
   */
  #loop(
    node: lua.Statement & { body: lua.Statement[] },
    frame: Frame,
    state: State,
    runs: 'once' | 'maybe' | 'endless',
    walk: (body: Frame, run: State) => void,
  ): void {
    const run = state.branch(NOTHING);
    for (const name of assignedNames(node.body)) {
      const variable = frame.scope.find(name);
      if (variable) run.write(variable, UNKNOWN);
    }
    const loop = { start: state, breaks: [] as State[] };
    walk({ ...inner(frame), loop }, run);
    const ends = runs === 'endless' ? loop.breaks : [run, ...loop.breaks];
    const alive = ends.filter((end) => end.alive).map((end) => end.facts);
    if (runs === 'maybe') ends.push(state.branch(mayHaveSkipped(alive, placeOf(node))));
    state.meet(ends);
  }
}

const inner = (frame: Frame): Frame => ({ ...frame, scope: new Scope(frame.scope), depth: frame.depth + 1 });

const placeOf = (node: object): string => `statement at ${String(rangeOf(node)[0])}`;

const join = (a: Facts | null, b: Facts): Facts => (a ? either(a, b) : b);

/** A loop always ends: that its condition failed is worth knowing only where it proves something. */
const onlyProof = (facts: Facts | null): Facts => (facts?.safe ? facts : NOTHING);

function share(variable: Variable | null): void {
  if (variable) variable.shared = true;
}

/** What `ipairs(…)` or `pairs(…)` gives one after the other. */
function itemOf(iterator: lua.Expression, frame: Frame, state: State): Value {
  if (!isCall(iterator) || iterator.base.type !== 'Identifier' || !/^i?pairs$/.test(iterator.base.name)) {
    evaluate(iterator, frame, state);
    return UNKNOWN;
  }
  const list = single(valueAt(evaluateAll(callArguments(iterator), frame, state), 0));
  if (list.kind === 'table') return element(list.name, null);
  if (list.kind === 'list' && list.items.length > 0) return merge(list.items.flat());
  return list.kind === 'stored' ? maybeStored(list.text) : UNKNOWN;
}

function returnedValues(returns: Frame['returns']): Values {
  const at = (index: number): Value =>
    merge(returns.flatMap((end) => under(valueAt(end.values, index), end.facts)));
  const most = returns.reduce((longest, end) => Math.max(longest, end.values.list.length), 1);
  const list = Array.from({ length: most }, (_, i) => at(i));
  return values(list, at(most));
}
