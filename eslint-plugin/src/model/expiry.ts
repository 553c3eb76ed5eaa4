/** Does an acquire set a TTL, or does a command after it? */
import type { Acquire } from './acts.js';
import { functionOf, unwrap } from './ast.js';
import type { RedisCommand } from './commands.js';
import { keyFrom } from './keys.js';
import type { FileFacts } from './file.js';
import { isOnTimer } from './links.js';

/** `PX: undefined` sets none, though it looks like one. */
export function hasTtl(command: RedisCommand): boolean {
  const ttl = command.options.ttl && unwrap(command.options.ttl.node);
  return ttl !== null && !(ttl.type === 'Identifier' && ttl.name === 'undefined');
}

/** The EXPIRE that gives a lock its TTL: of the same key, later in the same function, not on a timer. */
export function expiryAfter(file: FileFacts, acquire: Acquire): RedisCommand | null {
  const { call, command, key } = acquire;
  if (command === null || hasTtl(command)) return null;
  const fn = functionOf(call);
  const found = file
    .commandsOn(key)
    .find(
      (other) =>
        other.op === 'expire' &&
        other.call.range[0] > call.range[0] &&
        !isOnTimer(other.call, fn) &&
        functionOf(other.call) === fn &&
        other.keys.some((k) => keyFrom(file.sourceCode, k).exact === key.exact),
    );
  return found ?? null;
}
