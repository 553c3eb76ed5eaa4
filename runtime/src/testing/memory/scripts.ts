/** What each script of the runtime does, on the store in memory. The contract test holds both to the same answers. */
import { ACQUIRE, RELEASE, RENEW, type Script } from '../../scripts.js';
import type { Store } from './store.js';

interface Call {
  store: Store;
  keys: string[];
  args: string[];
  nowMs: number;
}

type Act = (key: string, token: string, call: Call) => number | string;

const companionOf = (store: Store, [, key]: string[]): Map<string, string> | null =>
  key === undefined ? null : store.companion(key);

const acquire: Act = (key, token, { store, keys, args: [, ttlMs], nowMs }) => {
  const companion = companionOf(store, keys);
  const last = companion?.get('fence') ?? '0';
  const held = store.get(key);
  if (held !== null && held !== token) return 0;
  if (held === token) return companion ? last : 1;
  store.set(key, token, Number(ttlMs));
  if (!companion) return 1;
  const fence = String(Math.max(Math.round(nowMs * 1_000), Number(last) + 1));
  companion.set('fence', fence);
  return fence;
};

const release: Act = (key, token, { store, keys }) => {
  const companion = companionOf(store, keys);
  const held = store.get(key);
  if (held === token) {
    store.delete(key);
    companion?.set('released', token);
    return 1;
  }
  if (companion?.get('released') === token) return 1;
  return held === null ? -1 : 0;
};

const renew: Act = (key, token, { store, args: [, ttlMs] }) => {
  const held = store.get(key);
  if (held === null) return -1;
  if (held !== token) return 0;
  const leftMs = store.pttl(key);
  if (leftMs >= 0 && leftMs < Number(ttlMs)) store.expire(key, Number(ttlMs));
  return 1;
};

const ACTS: readonly [Script, Act][] = [
  [ACQUIRE, acquire],
  [RELEASE, release],
  [RENEW, renew],
];

const bySha = new Map(ACTS.map(([{ sha }, act]) => [sha, act]));

/** Runs a script by its hash; throws as Redis answers for one that it does not know. */
export function runScript(sha: string, call: Call): number | string {
  const act = bySha.get(sha);
  if (!act)
    throw new Error('NOSCRIPT the store in memory knows the scripts of this version of lockproof alone');
  const {
    keys: [key = ''],
    args: [token = ''],
  } = call;
  return act(key, token, call);
}
