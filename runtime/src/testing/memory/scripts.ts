/** What each script of the runtime does, on the store in memory. The contract test holds both to the same answers. */
import { ACQUIRE, ACQUIRE_FENCED, RELEASE, RELEASE_FENCED, RENEW, type Script } from '../../scripts.js';
import type { Store } from './store.js';

interface Call {
  store: Store;
  keys: string[];
  args: string[];
  nowMs: number;
}

type Act = (key: string, token: string, call: Call) => number | string;

const acquire: Act = (key, token, { store, args: [, ttlMs] }) => {
  const held = store.get(key);
  if (held === null) store.set(key, token, Number(ttlMs));
  return held === null || held === token ? 1 : 0;
};

const acquireFenced: Act = (key, token, call) => {
  const { store, keys, nowMs } = call;
  const companion = store.companion(keys[1] ?? '');
  const again = store.get(key) === token;
  const last = companion.get('fence') ?? '0';
  if (acquire(key, token, call) === 0) return 0;
  if (again) return last;
  const fence = String(Math.max(Math.round(nowMs * 1_000), Number(last) + 1));
  companion.set('fence', fence);
  return fence;
};

const release: Act = (key, token, { store }) => {
  const held = store.get(key);
  if (held === null) return -1;
  if (held !== token) return 0;
  store.delete(key);
  return 1;
};

const releaseFenced: Act = (key, token, call) => {
  const companion = call.store.companion(call.keys[1] ?? '');
  const answer = release(key, token, call);
  if (answer === 1) companion.set('released', token);
  return companion.get('released') === token ? 1 : answer;
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
  [ACQUIRE_FENCED, acquireFenced],
  [RELEASE, release],
  [RELEASE_FENCED, releaseFenced],
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
