/** What a Redis command does to a lock, and what its reply tells about the owner. */
import { absent, NOTHING, proved, type Facts } from './facts.js';
import {
  choice,
  constant,
  constantOf,
  COUNT,
  input,
  isToken,
  only,
  single,
  STATUS,
  stored,
  UNKNOWN,
  type Value,
} from './values.js';

export interface Command {
  /** Upper case. */
  name: string;
  /** What follows the name. */
  args: readonly Value[];
  /** The name of the first key, where it has one. */
  key: string | null;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Each argument is a key. */
const DELETES = words('DEL UNLINK GETDEL DELEX DELIFEQ');
const EXPIRIES = words('EXPIRE PEXPIRE EXPIREAT PEXPIREAT');
const OVERWRITES = words('SET SETEX PSETEX GETSET');
/** Commands that show the key to be a counter, list, set … and so no lock. */
const OF_DATA = words(
  'INCR INCRBY INCRBYFLOAT DECR DECRBY APPEND SETBIT SETRANGE BITFIELD PFADD GEOADD ' +
    'LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LRANGE LLEN LREM LINDEX LSET LTRIM LMOVE RPOPLPUSH ' +
    'SADD SREM SPOP SMEMBERS SCARD SMOVE SUNIONSTORE ZADD ZREM ZINCRBY ZCARD ZCOUNT ZRANGE ZREVRANGE ' +
    'ZRANGEBYSCORE ZREVRANGEBYSCORE ZREMRANGEBYSCORE ZREMRANGEBYRANK ZPOPMIN ZPOPMAX ' +
    'HINCRBY HINCRBYFLOAT HMSET HSET HSETNX HGETALL XADD XDEL XTRIM XRANGE XLEN',
);
const CREATES_FIELD = words('HSET HMSET HINCRBY');
const TTL_OPTIONS = words('EX PX EXAT PXAT');

const READS_ONE = words('GET HGET GETRANGE GETEX GETDEL LINDEX SUBSTR');
const READS_MANY = words(
  'MGET HMGET HGETALL HKEYS HVALS SMEMBERS LRANGE ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE KEYS SCAN SSCAN ' +
    'HSCAN ZSCAN SORT XRANGE XREVRANGE',
);
const COUNTS = words(
  'DEL UNLINK EXPIRE PEXPIRE EXPIREAT PEXPIREAT INCR INCRBY DECR DECRBY HINCRBY LPUSH RPUSH LLEN SADD SCARD ZADD ' +
    'ZCARD ZCOUNT HLEN HSET STRLEN PUBLISH XADD XLEN TOUCH ZREMRANGEBYSCORE LREM',
);
/** 1 or 0 for a member or field; asked with a token, 1 means that the token is in it. */
const MEMBERSHIPS = words('SISMEMBER HDEL SREM ZREM');
const RANKS = words('ZSCORE ZRANK ZREVRANK');
const COMPARING_OPTIONS = words('IFEQ IFDEQ');
const OPTIONS_WITH_VALUE = words('EX PX EXAT PXAT IFEQ IFNE IFDEQ IFDNE');

export const isDelete = (name: string): boolean => DELETES.has(name);
export const isExpiry = (name: string): boolean => EXPIRIES.has(name);
export const isOverwrite = (name: string): boolean => OVERWRITES.has(name);
export const isDataCommand = (name: string): boolean => OF_DATA.has(name);

/** Counts how often a holder has the lock: `HSET lock token 1`, `HINCRBY lock token 1`. */
export const countsHolder = ({ name, args }: Command): boolean =>
  CREATES_FIELD.has(name) &&
  args.length === 3 &&
  isToken(args[1]) &&
  typeof constantOf(args[2]) !== 'undefined';

/** Does the command give the key that it writes a TTL? */
export const setsTtl = (command: Command): boolean =>
  command.name === 'SETEX' ||
  command.name === 'PSETEX' ||
  (command.name === 'SET' && [...(optionsOf(command) ?? [])].some((option) => TTL_OPTIONS.has(option)));

/** The keys that the command deletes, extends or overwrites. */
export function keysActedOn({ name, args }: Command): readonly Value[] {
  if (name === 'DEL' || name === 'UNLINK') return args.length > 0 ? args : [UNKNOWN];
  return DELETES.has(name) || EXPIRIES.has(name) || OVERWRITES.has(name) ? [args[0] ?? UNKNOWN] : [];
}

/** The options after key and value; null when some cannot be seen. */
function optionsOf({ args }: Command): ReadonlySet<string> | null {
  const options = new Set<string>();
  for (let i = 2; i < args.length; i += 1) {
    const word = constantOf(args[i]);
    if (typeof word !== 'string') return null;
    options.add(word.toUpperCase());
    if (OPTIONS_WITH_VALUE.has(word.toUpperCase())) i += 1;
  }
  return options;
}

/** Does the command itself take a lock that nobody holds? */
export const takesFreeLock = (command: Command): boolean =>
  command.name === 'SETNX' || (command.name === 'SET' && (optionsOf(command)?.has('NX') ?? false));

/** Does the command compare the owner by itself (`DELEX key IFEQ token`, Valkey's `DELIFEQ key token`)? */
export function comparesItself(command: Command): boolean {
  const { name, args } = command;
  if (name === 'DELIFEQ') return isToken(args[1]);
  const at = name === 'DELEX' ? 1 : 2;
  if (name !== 'DELEX' && name !== 'SET') return false;
  return args.some((arg, i) => i >= at && COMPARING_OPTIONS.has(wordOf(arg)) && isToken(args[i + 1]));
}

/**
 * May the command do nothing, on a condition of its own that we cannot judge: `EXPIRE … NX` (only where there is no
 * TTL), `DELEX … IFNE`, options that cannot be seen?
 */
export function isConditional(command: Command): boolean {
  const { name, args } = command;
  if (name === 'DELEX' || name === 'DELIFEQ') return args.length > 1;
  const options = optionsOf(command);
  if (name === 'SET') return options === null || [...options].some((option) => option.startsWith('IF'));
  return isExpiry(name) && args.length > 2 && (options === null || options.has('NX'));
}

const wordOf = (value: Value): string => {
  const word = constantOf(value);
  return typeof word === 'string' ? word.toUpperCase() : '';
};

const flag = (yes: Facts, no: Facts): Value => choice([constant(1), yes], [constant(0), no]);
const MISS = only({ kind: 'miss' });

export function replyOf(command: Command): Value {
  const { name, args, key } = command;
  const nobody = key === null ? NOTHING : absent(key);
  const mine = isToken(args[1]) ? proved('compared') : NOTHING;
  const content = stored(`${name}(${key ?? '?'})`);
  if (name === 'SETNX' || name === 'HSETNX') return flag(proved('won'), NOTHING);
  if (name === 'SET') return replyOfSet(command);
  if (comparesItself(command)) return flag(proved('compared'), NOTHING);
  if (name === 'EXISTS' && args.length === 1) return flag(NOTHING, nobody);
  if (READS_ONE.has(name)) return choice([MISS, nobody], [content, name === 'HGET' ? mine : NOTHING]);
  // Re-entrant locks keep their holder as the field of a hash.
  if (name === 'HEXISTS') return flag(mine, NOTHING);
  const member = isToken(args[1]) ? proved('member') : NOTHING;
  if (MEMBERSHIPS.has(name)) return flag(member, NOTHING);
  if (RANKS.has(name)) return choice([MISS, NOTHING], [content, member]);
  if (READS_MANY.has(name)) return content;
  if (name === 'TIME') return input('TIME', false);
  return COUNTS.has(name) ? COUNT : UNKNOWN;
}

function replyOfSet(command: Command): Value {
  const options = optionsOf(command);
  if (!options || options.has('GET')) return UNKNOWN;
  if (options.has('NX')) return choice([STATUS, proved('won')], [MISS, NOTHING]);
  if (comparesItself(command)) return choice([STATUS, proved('compared')], [MISS, NOTHING]);
  return options.has('XX') ? choice([STATUS, NOTHING], [MISS, NOTHING]) : STATUS;
}

/** The command's name, where it can be told. */
export function commandName(value: Value | undefined): string | null {
  const atom = single(value);
  return atom.kind === 'constant' && typeof atom.value === 'string' ? atom.value.toUpperCase() : null;
}
