/** `settings.lockproof.wrappers`: the acquire, release and renew functions of a house's own lock helper. */

type WrapperKind = 'acquire' | 'release' | 'renew';

export interface Wrapper {
  kind: WrapperKind;
  /** `tryLock`, or `cache.tryLock` for that receiver alone. */
  name: string;
  /** The position of the key among the arguments, from 0. */
  key: number;
  /** The position of the token: what an acquire stores, what a release or renewal compares. */
  token: number;
}

const KINDS: readonly WrapperKind[] = ['acquire', 'release', 'renew'];

/** Reads `{ acquire: ['tryLock', { name: 'put', key: 1, token: 2 }], release: […], renew: […] }`. */
export function readWrappers(given: unknown): Wrapper[] {
  if (typeof given !== 'object' || given === null) return [];
  return KINDS.flatMap((kind) => {
    const list: unknown = (given as Record<string, unknown>)[kind];
    return (Array.isArray(list) ? list : []).flatMap((entry: unknown) => {
      const wrapper = readWrapper(kind, entry);
      return wrapper ? [wrapper] : [];
    });
  });
}

function readWrapper(kind: WrapperKind, entry: unknown): Wrapper | null {
  if (typeof entry === 'string') return { kind, name: entry, key: 0, token: 1 };
  if (typeof entry !== 'object' || entry === null) return null;
  const { name, key, token } = entry as Record<string, unknown>;
  if (typeof name !== 'string') return null;
  const position = (value: unknown, otherwise: number): number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : otherwise;
  return { kind, name, key: position(key, 0), token: position(token, 1) };
}

/** The wrapper that a callee's text names: `locks.tryLock`, `this.locks.tryLock` and `tryLock` are all `tryLock`. */
export const wrapperNamed = (wrappers: readonly Wrapper[], callee: string): Wrapper | null =>
  wrappers.find(({ name }) => callee === name || callee.endsWith(`.${name}`)) ?? null;
