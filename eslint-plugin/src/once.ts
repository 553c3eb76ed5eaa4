/** Looks at a whole file or scope once; asked again at each repair, a lint would take quadratic time. */
export function once<K extends object, T>(compute: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { value: T }>();
  return (key) => {
    let entry = known.get(key);
    if (!entry) known.set(key, (entry = { value: compute(key) }));
    return entry.value;
  };
}
