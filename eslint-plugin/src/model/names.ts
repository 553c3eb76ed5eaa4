/** What names say: names are weak evidence, asked only together with structure. */

/** lock, mutex, lease, leader … as a word part; not block, clock, release, locked-out, leaderboard. */
const LOCK_WORD =
  /(?<![bcfv])lock(?!out|down|smith|er?room|ed(?:$|[^a-z])|screen|chain)|mutex|(?<!re|p)lease(?!d)|leader(?!board)|exclusive/i;
const RELEASE_NAME =
  /release|unlock|^free|^drop|^give|relinquish|^yield|resign|^leave|(?:del|delete|remove|clear|end|finish|stop|cleanup).*(?<![bc])lock|^(?:done|unset)/i;
const ACQUIRE_NAME = /acquire|(?<!un|b|c)lock|^take|^obtain|^grab|campaign|^elect|exclusive|mutex/i;
const RENEW_NAME = /extend|renew|refresh|heart_?beat|keep_?alive|prolong|touch|watch_?dog|beat|expire/i;
const FORCED_NAME =
  /force|admin|orphan|reset|purge|all$|pattern|prefix|flush|stale|expired|cleanup(?!.*lock)/i;
const GENERIC_NAME =
  /^_?(?:del|delete|remove|unlink|clear|invalidate|evict|expire|flush|destroy|purge|reset|forget|bust)(?:key|keys|cache|many|all|bypattern|pattern|byprefix)?(?:async)?$/i;

/** What a SET NX is for when it is no lock: a record that something happened, or a throttle. */
const MARKER_WORD =
  /dedup|idempot|replay|cool_?down|throttle|nonce|debounce|rate_?limit|seen|notified|processed|once|otp|verification|window/i;

export const isMarkerWord = (text: string): boolean => MARKER_WORD.test(text);
export const hasLockWord = (text: string | null | undefined): boolean => !!text && LOCK_WORD.test(text);
export const isReleaseName = (name: string | null | undefined): boolean => !!name && RELEASE_NAME.test(name);
export const isAcquireName = (name: string | null | undefined): boolean => !!name && ACQUIRE_NAME.test(name);
export const isRenewName = (name: string | null | undefined): boolean => !!name && RENEW_NAME.test(name);
/** A release that is meant to take the lock from its holder: for administrators and cleaners. */
export const isForcedName = (name: string | null | undefined): boolean => !!name && FORCED_NAME.test(name);
/** A pass-through such as `del(key)` of a cache service, which says nothing about locks. */
export const isGenericName = (name: string | null | undefined): boolean => !!name && GENERIC_NAME.test(name);
