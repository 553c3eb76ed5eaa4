/** The key beside a lock that remembers its fence: in the same Cluster slot, and with the same beginning for ACL patterns. */

const SUFFIX = ':fence';

/**
 * Names the companion of a key, without the client's key prefix, as the client will add it.
 *
 * Redis Cluster hashes the text within the first `{…}`, or the whole key where there is none or an empty one
 * (https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags).
 *
 * @returns null when no name can share the slot: a brace in the key forms no tag
 */
export function companionOf(key: string, keyPrefix: string): string | null {
  const whole = keyPrefix + key;
  if (!/[{}]/.test(whole)) return `${key}{${whole}}${SUFFIX}`;
  return /^[^{]*\{[^}]+\}/.test(whole) ? key + SUFFIX : null;
}
