/** Options that a client silently ignores or refuses, since they are spelled for another library. */
import type { Node, SourceCode } from '../types.js';
import { installedMajor, onlyClientPackage } from '../project/index.js';
import { isFunction, unwrap } from './ast.js';
import { clientOf } from './clients.js';
import type { RedisCommand } from './commands.js';
import { libraryOfPackage, type Library } from './libraries.js';

/** `del(a, b)` of node-redis 4 and later: only `a` is deleted, silently. Null where that is not sure. */
export function forgottenKeys(
  sourceCode: SourceCode,
  filename: string,
  command: RedisCommand,
): { library: string; first: Node } | null {
  const { receiver, call, callback } = command;
  const [first, second] = call.arguments;
  if (command.op !== 'del' || !receiver || callback || !first || !second) return null;
  if (call.arguments.some((a) => a.type === 'SpreadElement' || a.type === 'ArrayExpression' || isFunction(a)))
    return null;
  if (libraryOf(sourceCode, filename, receiver) !== 'node-redis') return null;
  const major = nodeRedisMajor(filename);
  return major !== null && major >= 4 ? { library: `node-redis ${String(major)}`, first } : null;
}

const nodeRedisMajor = (filename: string): number | null =>
  installedMajor(filename, 'redis') ?? installedMajor(filename, '@redis/client');

export interface Mismatch {
  library: string;
  spelling: string;
  effect: string;
  /** How to write NX and the TTL for this library; null where that can't be said in one way. */
  right: 'positional' | 'upper' | 'lower' | null;
}

const PLAIN_SET = 'a plain SET with no NX and no TTL, which answers OK to everybody and never expires';

/** Null when the library or its version is not known, or when the spelling fits. */
export function mismatchOf(sourceCode: SourceCode, filename: string, command: RedisCommand): Mismatch | null {
  const { receiver, options, call } = command;
  if (command.op !== 'set' || !receiver || !options.nx || command.callback) return null;
  const { spelling } = options;
  // A raw command is Redis' own language.
  const callee = unwrap(call.callee);
  const method =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : '';
  if (!/^set$/i.test(method)) return null;
  switch (libraryOf(sourceCode, filename, receiver)) {
    case 'node-redis':
      return nodeRedis(filename, spelling);
    case 'ioredis':
      return spelling === 'positional' || spelling === 'none'
        ? null
        : {
            library: 'ioredis',
            spelling: shown(spelling),
            effect: 'a syntax error at run time',
            right: 'positional',
          };
    case 'upstash':
      return spelling === 'upper'
        ? { library: '@upstash/redis', spelling: shown(spelling), effect: PLAIN_SET, right: 'lower' }
        : null;
    case 'redis-mock':
      return {
        library: 'redis-mock',
        spelling: 'NX',
        effect: 'always OK, so a test of this lock passes for nothing',
        right: null,
      };
    case 'glide':
      return spelling === 'glide'
        ? null
        : { library: '@valkey/valkey-glide', spelling: shown(spelling), effect: PLAIN_SET, right: null };
    default:
      return null;
  }
}

/** A client of unknown origin is one of the only client package that the project has. */
function libraryOf(sourceCode: SourceCode, filename: string, receiver: Node): Library | null {
  const client = clientOf(sourceCode, receiver);
  if (client !== null) return client || null;
  const name = onlyClientPackage(filename);
  return name ? libraryOfPackage(name) : null;
}

function nodeRedis(filename: string, spelling: string): Mismatch | null {
  const major = nodeRedisMajor(filename);
  if (major === null || major < 4) return null;
  const library = `node-redis ${String(major)}`;
  if (spelling === 'positional' || spelling === 'lower') {
    return { library, spelling: shown(spelling), effect: PLAIN_SET, right: 'upper' };
  }
  return spelling === 'condition' && major === 4
    ? { library, spelling: shown(spelling), effect: PLAIN_SET, right: 'upper' }
    : null;
}

function shown(spelling: string): string {
  switch (spelling) {
    case 'positional':
      return "'NX', 'PX', ms";
    case 'upper':
      return '{ NX: true, PX: ms }';
    case 'lower':
      return '{ nx: true, px: ms }';
    case 'condition':
      return "{ condition: 'NX', expiration: … }";
    default:
      return 'these options';
  }
}
