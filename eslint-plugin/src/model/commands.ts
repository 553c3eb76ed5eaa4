/** A call expression -> the Redis command that it sends. */
import type { CallExpression, FunctionNode, Node, SourceCode, TSESTree } from '../types.js';
import {
  calleeName,
  isFunction,
  objectProperty,
  parentOf,
  propertyName,
  stringValue,
  unwrap,
} from './ast.js';
import { clientOf } from './clients.js';
import { readSetOptions, type SetOptions } from './options.js';
import { customScript, scriptOf, type ScriptSource, type ScriptTable } from './scripts.js';
import { resolve } from './values.js';
import { wrapperNamed, type Wrapper } from './wrappers.js';

type Op =
  | 'set'
  | 'setnx'
  | 'setex'
  | 'get'
  | 'mget'
  | 'exists'
  | 'del'
  | 'delex'
  | 'expire'
  | 'watch'
  | 'script'
  /** Functions of a house's own helper, named in the settings. */
  | 'acquireHelper'
  | 'releaseHelper'
  | 'renewHelper';

export interface RedisCommand {
  op: Op;
  call: CallExpression;
  /** The client expression; null for a method that was taken off its client (`promisify(client.del)`). */
  receiver: Node | null;
  /** The key expressions: for scripts, those of KEYS. */
  keys: Node[];
  /** What is stored; null where nothing is. */
  value: Node | null;
  options: SetOptions;
  /** For scripts: the Lua text when it can be seen, and ARGV. */
  script: ScriptSource | null;
  args: Node[];
  /** Queued in a pipeline or a MULTI: the call's own reply says nothing. */
  queued: boolean;
  /** A node-style callback that receives the reply. */
  callback: FunctionNode | null;
}

const OPS: Readonly<Record<string, Op>> = {
  set: 'set',
  setnx: 'setnx',
  setex: 'setex',
  psetex: 'setex',
  get: 'get',
  mget: 'mget',
  exists: 'exists',
  del: 'del',
  unlink: 'del',
  delex: 'delex',
  delifeq: 'delex',
  expire: 'expire',
  pexpire: 'expire',
  expireat: 'expire',
  pexpireat: 'expire',
  watch: 'watch',
  eval: 'script',
  evalsha: 'script',
  evalsharo: 'script',
  fcall: 'script',
  invokescript: 'script',
};

/** Methods that take a whole command: `call('SET', …)`, `sendCommand(['SET', …])`. */
const RAW = /^(?:call|callbuffer|sendcommand|send_command|customcommand|command|send|rediscommand|cmd)$/i;
const NO_OPTIONS: SetOptions = { nx: false, xx: false, get: false, ttl: null, spelling: 'none' };

/** `setAsync`, `SET`, `getBuffer` -> the command's own name in lower case. */
const commandName = (method: string): string => method.replace(/(?:Async|Buffer)$/, '').toLowerCase();

/** What the settings say of clients and helpers. */
export interface CommandSettings {
  clients: readonly string[];
  wrappers: readonly Wrapper[];
}

export function readCommand(
  sourceCode: SourceCode,
  call: CallExpression,
  scripts: ScriptTable,
  settings: CommandSettings,
): RedisCommand | null {
  const helper = readWrapperCall(sourceCode, call, settings.wrappers);
  if (helper) return helper;
  const called = calledMethod(sourceCode, call);
  if (!called) return null;
  const { args, callback } = splitCallback(call.arguments);
  const raw = RAW.test(called.method) ? rawCommand(args) : null;
  const method = raw ? raw.name : called.method;
  const rest = raw ? raw.args : args;
  const custom = customScript(scripts, called.method);
  const op = OPS[commandName(method)] ?? (custom ? 'script' : null);
  // `expire({ … })` is somebody else's method.
  if (!op || (rest[0] && unwrap(rest[0]).type === 'ObjectExpression')) return null;
  // The dearest question comes last: few calls get here.
  if (called.receiver && isNoClient(sourceCode, called.receiver, settings.clients)) return null;
  const base = {
    call,
    op,
    receiver: called.receiver,
    callback,
    queued: isQueued(sourceCode, called.receiver),
    value: null,
    options: NO_OPTIONS,
    script: null,
    args: [] as Node[],
  };
  switch (op) {
    case 'set':
    case 'setnx':
    case 'setex':
      return readWrite(sourceCode, { ...base, op }, rest);
    case 'script':
      return custom ? customCall(base, rest, custom) : readScriptCall(sourceCode, base, rest, scripts);
    case 'delex':
      return rest[0] ? { ...base, keys: [rest[0]], args: rest.slice(1) } : null;
    case 'expire':
    case 'get':
      return rest[0] ? { ...base, keys: [rest[0]], args: rest.slice(1) } : null;
    default:
      return rest.length > 0 ? { ...base, keys: flatKeys(rest) } : null;
  }
}

/** Surely no Redis, and not named as one in the settings. */
const isNoClient = (sourceCode: SourceCode, receiver: Node, clients: readonly string[]): boolean =>
  clientOf(sourceCode, receiver) === false && !clients.includes(sourceCode.getText(unwrap(receiver)));

const HELPER_OPS = { acquire: 'acquireHelper', release: 'releaseHelper', renew: 'renewHelper' } as const;

function readWrapperCall(
  sourceCode: SourceCode,
  call: CallExpression,
  wrappers: readonly Wrapper[],
): RedisCommand | null {
  if (wrappers.length === 0) return null;
  const wrapper = wrapperNamed(wrappers, sourceCode.getText(unwrap(call.callee)).replaceAll('?.', '.'));
  const key = wrapper && call.arguments[wrapper.key];
  if (!wrapper || !key) return null;
  const token = call.arguments[wrapper.token] ?? null;
  return {
    op: HELPER_OPS[wrapper.kind],
    call,
    receiver: null,
    keys: flatKeys([key]),
    value: wrapper.kind === 'acquire' ? token : null,
    options: { ...NO_OPTIONS, nx: wrapper.kind === 'acquire' },
    script: null,
    args: token ? [token] : [],
    queued: false,
    callback: null,
  };
}

type Base = Omit<RedisCommand, 'keys'>;

function readWrite(sourceCode: SourceCode, base: Base, args: Node[]): RedisCommand | null {
  const first = args[0] && unwrap(args[0]);
  // set([key, value, 'NX', 'EX', 10])
  const list = args.length === 1 && first?.type === 'ArrayExpression' ? present(first.elements) : args;
  const [key, second, third] = list;
  if (!key || !second) return null;
  if (base.op === 'setex') return third ? { ...base, keys: [key], value: third } : null;
  const options = base.op === 'set' ? readSetOptions(sourceCode, list.slice(2)) : { ...NO_OPTIONS, nx: true };
  return { ...base, keys: [key], value: second, options };
}

function customCall(
  base: Base,
  args: Node[],
  custom: { script: ScriptSource | null; keys: number | null },
): RedisCommand {
  // Without numberOfKeys the first argument is the count.
  const list = custom.keys === null ? args.slice(1) : args;
  const count = custom.keys ?? Number((args[0] as TSESTree.Literal | undefined)?.value ?? 1);
  return { ...base, keys: list.slice(0, count), args: list.slice(count), script: custom.script };
}

function readScriptCall(
  sourceCode: SourceCode,
  base: Base,
  args: Node[],
  scripts: ScriptTable,
): RedisCommand | null {
  const list = args.length === 1 && args[0]?.type === 'ArrayExpression' ? present(args[0].elements) : args;
  const [text, second, ...rest] = list;
  if (!text || !second) return null;
  const script = scriptOf(sourceCode, text, scripts);
  const shape = resolve(sourceCode, second);
  if (shape.type === 'ObjectExpression') {
    const keys = elements(objectProperty(shape, 'keys')?.value);
    const values = elements((objectProperty(shape, 'arguments') ?? objectProperty(shape, 'args'))?.value);
    return { ...base, script, keys, args: values };
  }
  if (shape.type === 'ArrayExpression')
    return { ...base, script, keys: present(shape.elements), args: elements(rest[0]) };
  if (shape.type === 'Literal' && (typeof shape.value === 'number' || typeof shape.value === 'string')) {
    const count = Number(shape.value);
    const flat = rest.flatMap((arg) => {
      const node = unwrap(arg);
      return node.type === 'ArrayExpression' ? present(node.elements) : [arg];
    });
    return { ...base, script, keys: flat.slice(0, count), args: flat.slice(count) };
  }
  return { ...base, script, keys: [], args: rest };
}

const present = (items: readonly (Node | null)[]): Node[] =>
  items.filter((item): item is Node => item !== null);

function elements(node: Node | undefined): Node[] {
  if (!node) return [];
  const inner = unwrap(node);
  return inner.type === 'ArrayExpression' ? present(inner.elements) : [];
}

/** `del(a, b)`, `del([a, b])`, `del(...keys)`: the key expressions, spread ones as they are. */
function flatKeys(args: Node[]): Node[] {
  return args.flatMap((arg) => {
    const node = unwrap(arg);
    if (node.type === 'ArrayExpression') return present(node.elements);
    return [node.type === 'SpreadElement' ? node.argument : arg];
  });
}

function splitCallback(list: readonly Node[]): { args: Node[]; callback: FunctionNode | null } {
  const last = list.at(-1);
  if (last && isFunction(last)) return { args: list.slice(0, -1), callback: last };
  return { args: [...list], callback: null };
}

function rawCommand(args: readonly Node[]): { name: string; args: Node[] } | null {
  // node-redis clusters: sendCommand(firstKey, isReadonly, ['SET', …])
  const array = args.map(unwrap).find((arg) => arg.type === 'ArrayExpression');
  const direct = stringValue(args[0]);
  if (array && !direct) {
    const [name, ...rest] = present(array.elements);
    const text = stringValue(name);
    return text ? { name: text, args: rest } : null;
  }
  if (!direct) return null;
  return { name: direct, args: array && args.length === 2 ? present(array.elements) : args.slice(1) };
}

/** The method and the client of a call, also when the method was promisified or bound to a name first. */
function calledMethod(
  sourceCode: SourceCode,
  call: CallExpression,
): { method: string; receiver: Node | null } | null {
  const callee = unwrap(call.callee);
  if (callee.type === 'MemberExpression') {
    const method = propertyName(callee);
    return method ? { method, receiver: callee.object } : null;
  }
  if (callee.type !== 'Identifier') return null;
  if (RAW.test(callee.name)) return { method: callee.name, receiver: null };
  const made = resolve(sourceCode, callee);
  return made.type === 'CallExpression' ? takenMethod(made) : null;
}

/** `promisify(client.setnx).bind(client)`, `client.setnx.bind(client)`. */
function takenMethod(made: CallExpression): { method: string; receiver: Node | null } | null {
  const callee = unwrap(made.callee);
  if (calleeName(made) === 'bind' && callee.type === 'MemberExpression') {
    const bound = unwrap(callee.object);
    if (bound.type === 'CallExpression') return takenMethod(bound);
    return bound.type === 'MemberExpression' ? methodAndReceiver(bound) : null;
  }
  const first = made.arguments[0] && unwrap(made.arguments[0]);
  if (calleeName(made) === 'promisify' && first) {
    if (first.type === 'MemberExpression') return methodAndReceiver(first);
    if (first.type === 'CallExpression') return takenMethod(first);
  }
  return null;
}

function methodAndReceiver(member: TSESTree.MemberExpression): { method: string; receiver: Node } | null {
  const method = propertyName(member);
  return method ? { method, receiver: member.object } : null;
}

const BATCH = /^(?:multi|pipeline|batch)$/i;

/** The batch call behind a receiver: `client.multi().set(…)`, `const p = client.pipeline(); p.del(…)`. */
export function batchOf(sourceCode: SourceCode, receiver: Node | null): CallExpression | null {
  if (!receiver) return null;
  let node = resolve(sourceCode, receiver);
  for (let depth = 0; depth < 20 && node.type === 'CallExpression'; depth++) {
    if (BATCH.test(calleeName(node) ?? '')) return node;
    const callee = unwrap(node.callee);
    if (callee.type !== 'MemberExpression') return null;
    node = resolve(sourceCode, callee.object);
  }
  return null;
}

const isQueued = (sourceCode: SourceCode, receiver: Node | null): boolean =>
  batchOf(sourceCode, receiver) !== null;

/** The expression whose value is the command's reply: the call with the casts and the `await` around it. */
export function replyNode(call: CallExpression): Node {
  let node: Node = call;
  for (let up = parentOf(node); up; up = parentOf(node)) {
    if (up.type === 'AwaitExpression' || unwrap(up) === unwrap(node)) node = up;
    else break;
  }
  return node;
}
