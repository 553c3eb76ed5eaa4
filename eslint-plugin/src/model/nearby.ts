/** Which acts may belong to an acquire at all: those of its key, and bare ones of the same owner. Keeps large files linear. */
import type { Acquire, Act } from './acts.js';
import { isBareParameter, isTelling } from './keys.js';

/** Answers the candidates of an acquire. `named`: may the act be linked by the names around it? */
export function indexActs<T extends Act>(
  acts: readonly T[],
  named: (act: T) => boolean,
): (acquire: Acquire) => readonly T[] {
  const exact = new Map<string, T[]>();
  const shapes = new Map<string, T[]>();
  const bare = new Map<unknown, T[]>();
  const owned = new Map<unknown, T[]>();
  const add = <K>(map: Map<K, T[]>, key: K, act: T): void => {
    const list = map.get(key);
    if (list) list.push(act);
    else map.set(key, [act]);
  };
  for (const act of acts) {
    add(exact, act.key.exact, act);
    if (isTelling(act.key)) add(shapes, act.key.shape, act);
    if (!named(act)) continue;
    add(owned, act.place.cls, act);
    if (isBareParameter(act.key)) add(bare, act.place.cls, act);
  }
  return ({ key, place }) => {
    const found = new Set(exact.get(key.exact));
    if (isTelling(key)) for (const act of shapes.get(key.shape) ?? []) found.add(act);
    const linked = isBareParameter(key) ? owned : bare;
    for (const act of linked.get(place.cls) ?? []) found.add(act);
    return [...found];
  };
}
