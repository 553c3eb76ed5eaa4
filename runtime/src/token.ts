/** Tokens: 128 bits of a CSPRNG, one for each acquisition. */
import { createHash, randomFillSync } from 'node:crypto';

const TOKEN_BYTES = 16;
const POOLED_TOKENS = 256;

const pool = Buffer.allocUnsafe(TOKEN_BYTES * POOLED_TOKENS);
let next = pool.length;

/** A new token. The pool makes it cheaper than `randomUUID`; no byte is used twice. */
export function newToken(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const token = pool.toString('base64url', next, next + TOKEN_BYTES);
  next += TOKEN_BYTES;
  return token;
}

/**
 * What may be logged of a token.
 *
 * @param token the token of a lease
 * @returns 8 hex digits of its SHA-256: they tell two tokens apart and unlock nothing
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex').slice(0, 8);
}
