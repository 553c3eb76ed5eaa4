/**
 * Does a file's text hold anything that a rule could speak about? Most files do not, and every rule stops here for them.
 * The receiver's name proves little (`cache`, `kv`, `client` may all be Redis), so the gate asks for command words.
 */

const ACQUIRE_WORD =
  /\bnx\b|setnx|onlyIfDoesNotExist|\bevalsha|\.eval\b|defineCommand|defineScript|redis\.p?call|invokeScript|redlock|lockproof/i;
const LOCK_WORD = /lock|mutex|lease|leader/i;
const ACT_CALL = /(?:\.|\b)(?:del|unlink|p?expire)(?:Async)?\b|DEL['"]|\.release\w*\(/i;

/** Pure form of the gate, for editors that look at a text before they parse it. */
export function textMatters(text: string, names: readonly string[] = []): boolean {
  if (ACQUIRE_WORD.test(text)) return true;
  if (LOCK_WORD.test(text) && ACT_CALL.test(text)) return true;
  return names.some((name) => text.includes(name));
}
