/** What a walk over a script notes down: who acts on which key, under which guard, and what the script answers. */
import { callArguments, rangeOf, type Call, type lua, type Range } from './ast.js';
import {
  comparesItself,
  countsHolder,
  isConditional,
  isDataCommand,
  isExpiry,
  isOverwrite,
  keysActedOn,
  replyOf,
  setsTtl,
  takesFreeLock,
  type Command,
} from './commands.js';
import { both, guardOf, NOTHING, proved, weaker, type Guard, type Proof } from './facts.js';
import type { State } from './state.js';
import {
  commonFacts,
  isToken,
  present,
  single,
  textOf,
  type Atom,
  type Option,
  type Value,
} from './values.js';

/** Where a key comes from. Redis Cluster needs each key to come from KEYS. */
export type KeyOrigin =
  /** `index` is null for a loop over KEYS. */
  | { kind: 'KEYS'; index: number | null }
  /** Made in the script, taken from ARGV, or filled in by JavaScript; `text` shows of what. */
  | { kind: 'built'; text: string }
  | { kind: 'unknown' };

export interface Effect {
  /** Upper case: DEL, UNLINK, GETDEL, EXPIRE, PEXPIRE, EXPIREAT, PEXPIREAT, SET, SETEX, PSETEX, GETSET … */
  command: string;
  key: KeyOrigin;
  guard: Guard;
  /** The call, in UTF-16 offsets of the script's text. */
  range: Range;
  /** What the script calls the key: its local name, and comments such as `-- KEYS[1]: the lock`. */
  words: string;
}

export interface Acquisition {
  command: string;
  key: KeyOrigin;
  range: Range;
}

interface Act extends Effect {
  proofs: ReadonlySet<Proof>;
  keyText: string | null;
}

interface Taken extends Acquisition {
  keyText: string | null;
  /** NX or a TTL show that it is a lock; a mere write to a missing key can be any record. */
  isSure: boolean;
}

export class Trace {
  /** What the client gets, with the facts of the path. */
  readonly answers: Option[] = [];
  readonly #acts = new Map<string, Act>();
  readonly #taken = new Map<Call, Taken>();
  readonly #dataKeys = new Set<string>();

  /** Notes a command down and says what it replies. */
  run(call: Call, name: string, args: readonly Value[], state: State): Value {
    const command: Command = { name, args, key: keyText(args[0]) };
    if (state.alive) this.#note(call, command, state);
    return replyOf(command);
  }

  /** In the order of the text. Who extends or deletes a counter, list, set … acts on no lock: unknown. */
  acts(): Act[] {
    const isData = (act: Act): boolean => act.keyText !== null && this.#dataKeys.has(act.keyText);
    return [...this.#acts.values()]
      .map((act): Act => {
        const isLock = act.guard !== 'unguarded' || isOverwrite(act.command) || !isData(act);
        return isLock ? act : { ...act, guard: 'unknown' };
      })
      .sort(byPlace);
  }

  acquisitions(): Acquisition[] {
    const extended = new Set(this.acts().map((act) => isExpiry(act.command) && act.keyText));
    return [...this.#taken.values()]
      .filter(({ isSure, keyText: text }) => isSure || (text !== null && extended.has(text)))
      .map(({ command, key, range }) => ({ command, key, range }))
      .sort(byPlace);
  }

  #note(call: Call, command: Command, state: State): void {
    const { name, args, key } = command;
    if (isDataCommand(name) && key !== null) this.#dataKeys.add(key);
    const isFree = key !== null && state.facts.free.has(key);
    if (takesFreeLock(command)) {
      this.#take(call, command, true);
    } else if ((isFree || mayBeFree(state, key)) && writesToken(command)) {
      this.#take(call, command, setsTtl(command));
      state.assume(proved('won'));
    } else {
      keysActedOn(command).forEach((keyValue, i) => {
        this.#act(call, command, keyValue, i, state);
      });
      // What the script itself made, because it was missing, is nobody else's.
      if (isFree && args.length > 1 && isDataCommand(name)) state.assume(proved('won'));
    }
  }

  #take(call: Call, { name, args }: Command, isSure: boolean): void {
    const [first] = args;
    const taken = {
      command: name,
      key: originOf(first),
      range: rangeOf(call),
      keyText: keyText(first),
      isSure,
    };
    this.#taken.set(call, taken);
  }

  #act(call: Call, command: Command, keyValue: Value, index: number, state: State): void {
    const facts = both(state.facts, commonFacts(keyValue) ?? NOTHING);
    const text = keyText(keyValue);
    const proofs = comparesItself(command) ? new Set<Proof>(['compared']) : facts.proofs;
    const seen = comparesItself(command) ? 'compared' : guardOf(facts, text);
    if (isOverwrite(command.name) && seen === 'unguarded' && text !== null) this.#dataKeys.add(text);
    const guard = seen === 'unguarded' && isConditional(command) ? 'unknown' : seen;
    const id = `${rangeOf(call).join()},${String(index)}`;
    this.#acts.set(id, {
      command: command.name,
      key: originOf(keyValue),
      guard: weaker(guard, this.#acts.get(id)?.guard ?? guard),
      range: rangeOf(call),
      proofs,
      keyText: text,
      words: localName(callArguments(call).at(index - command.args.length)),
    });
  }
}

const localName = (argument: lua.Expression | undefined): string =>
  argument?.type === 'Identifier' ? argument.name : '';

const byPlace = (a: { range: Range }, b: { range: Range }): number => a.range[0] - b.range[0];

/** `if not holder or holder == token`: either nobody has the lock, or the caller has it already. */
const mayBeFree = ({ facts }: State, key: string | null): boolean =>
  facts.safe && key !== null && facts.proofs.has(`absent ${key}`);

function writesToken(command: Command): boolean {
  const { name, args } = command;
  if (!isOverwrite(name)) return countsHolder(command);
  return isToken(name === 'SETEX' || name === 'PSETEX' ? args[2] : args[1]);
}

const keyAtom = (value: Value | undefined): Atom => single(value && present(value));

const keyText = (value: Value | undefined): string | null => textOf(keyAtom(value));

function originOf(value: Value | undefined): KeyOrigin {
  const atom = keyAtom(value);
  if (atom.kind === 'input' && atom.keyIndex !== undefined) return { kind: 'KEYS', index: atom.keyIndex };
  const text = textOf(atom);
  return text === null ? { kind: 'unknown' } : { kind: 'built', text };
}
