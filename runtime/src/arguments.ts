/** Checks what callers hand in. Each error names the argument, what was given and what is expected. */

/** The shortest TTL: below it, the margin for clocks and pauses would eat the lease. */
export const SHORTEST_TTL_MS = 100;
/** The longest TTL: 2^53 - 1 would overflow Redis' clock; a hundred years are enough. */
const LONGEST_TTL_MS = 100 * 365 * 24 * 3_600_000;

export interface AcquireOptions {
  /** How long the lease lasts without a renewal: an integer number of milliseconds, at least 100. */
  ttlMs?: number;
  /** How long to wait for a lock that is held, in milliseconds; 0 (the default) asks once. */
  waitMs?: number;
  /** Ends the waiting when it aborts. */
  signal?: AbortSignal;
  /** Renew the lease every third of its TTL. The default is true for `withLock`, false elsewhere. */
  renew?: boolean;
  /**
   * Number this acquisition for the database: see `lease.fence`. It keeps one more key, for a day after the last use. The
   * default is false.
   */
  fence?: boolean;
  /** How long the lease may be held whatever the renewals, in milliseconds; no limit by default. */
  maxHoldMs?: number;
}

export interface CheckedOptions {
  ttlMs: number;
  waitMs: number;
  signal: AbortSignal | null;
  renew: boolean;
  fence: boolean;
  maxHoldMs: number;
}

const KNOWN = ['ttlMs', 'waitMs', 'signal', 'renew', 'fence', 'maxHoldMs'] as const;

/** Shows a value in an error: short, and on one line. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === 'function') return value.name ? `the function ${value.name}` : 'a function';
  if (typeof value === 'object' && value !== null) {
    const { name } = value.constructor as { name?: string };
    return Array.isArray(value) ? 'an array' : `an object (${name ?? 'without a class'})`;
  }
  return String(value);
}

function fail(Kind: typeof TypeError | typeof RangeError, message: string): never {
  throw Object.assign(new Kind(`lockproof: ${message}`), { code: 'LOCKPROOF_ARGUMENT' });
}

export const wrongType = (message: string): never => fail(TypeError, message);

export function checkKey(key: unknown): string {
  if (typeof key !== 'string') return fail(TypeError, `key must be a string, got ${show(key)}`);
  if (key === '')
    return fail(TypeError, 'key must not be empty: give the lock a name, such as "order:lock:10086"');
  return key;
}

export function checkToken(token: unknown): string {
  if (typeof token !== 'string') return fail(TypeError, `token must be a string, got ${typeof token}`);
  return token === ''
    ? fail(TypeError, 'token must not be empty: pass the one that the acquire stored')
    : token;
}

export function checkTtl(ttlMs: unknown): number {
  const expected = `an integer number of milliseconds from ${String(SHORTEST_TTL_MS)} on`;
  if (ttlMs === undefined) {
    return fail(TypeError, `ttlMs is missing: give ${expected}, to createLocks or to this call`);
  }
  if (typeof ttlMs !== 'number') return fail(TypeError, `ttlMs must be ${expected}, got ${show(ttlMs)}`);
  if (!Number.isInteger(ttlMs) || ttlMs < SHORTEST_TTL_MS || ttlMs > LONGEST_TTL_MS) {
    const seconds =
      ttlMs > 0 && ttlMs < SHORTEST_TTL_MS ? ` (was it meant in seconds? write ${String(ttlMs * 1000)})` : '';
    return fail(RangeError, `ttlMs must be ${expected}, got ${String(ttlMs)}${seconds}`);
  }
  return ttlMs;
}

function checkMs(name: string, value: unknown, leastMs: number): number {
  if (typeof value === 'number' && value >= leastMs) return value;
  return fail(
    typeof value === 'number' ? RangeError : TypeError,
    `${name} must be a number of milliseconds from ${String(leastMs)} on, got ${show(value)}`,
  );
}

function checkFlag(name: string, flag: unknown): boolean {
  return typeof flag === 'boolean'
    ? flag
    : fail(TypeError, `${name} must be true or false, got ${show(flag)}`);
}

function checkSignal(signal: unknown): AbortSignal | null {
  if (signal === undefined) return null;
  if (signal instanceof AbortSignal) return signal;
  return fail(TypeError, `signal must be an AbortSignal, got ${show(signal)}`);
}

/** Merges the options of a call over those of its locks and checks them. */
export function checkOptions(
  defaults: AcquireOptions,
  given: unknown,
  renewByDefault: boolean,
): CheckedOptions {
  if (given !== undefined && (typeof given !== 'object' || given === null)) {
    return fail(TypeError, `options must be an object such as { ttlMs: 8000 }, got ${show(given)}`);
  }
  for (const name of Object.keys(given ?? {})) {
    if (!KNOWN.includes(name as never)) {
      return fail(TypeError, `unknown option ${show(name)}; known ones are ${KNOWN.join(', ')}`);
    }
  }
  const merged: AcquireOptions = { ...defaults, ...withoutUndefined(given ?? {}) };
  const { waitMs = 0, maxHoldMs = Infinity } = merged;
  return {
    ttlMs: checkTtl(merged.ttlMs),
    waitMs: checkMs('waitMs', waitMs, 0),
    signal: checkSignal(merged.signal),
    renew: checkFlag('renew', merged.renew ?? renewByDefault),
    fence: checkFlag('fence', merged.fence ?? false),
    maxHoldMs: checkMs('maxHoldMs', maxHoldMs, SHORTEST_TTL_MS),
  };
}

const withoutUndefined = (options: object): AcquireOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

export function checkWork(fn: unknown): void {
  if (typeof fn !== 'function') fail(TypeError, `the work must be a function, got ${show(fn)}`);
}
