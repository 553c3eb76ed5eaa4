/** Lua 5.1, the language of Redis scripts, from text to a syntax tree. */
import type { lua } from './ast.js';
import luaparse from './luaparse.cjs';

export type LuaParse =
  | { ok: true; chunk: lua.Chunk; comments: readonly lua.Comment[] }
  | { ok: false; message: string; offset: number };

/** The last text: ESLint has a `.lua` file parsed first, and rules ask for the verdict on it right after. */
let last: { text: string; parse: LuaParse } | undefined;

const OPTIONS = { luaVersion: '5.1', ranges: true, locations: true, comments: true } as const;

/**
 * Parses a script; never throws. A first line such as `#!lua name=locks` is skipped, and each node has an exact
 * `range` (UTF-16 offsets) and `loc`.
 *
 * @returns the tree, or what is wrong and where. There is no recovery: luaparse stops at the first error.
 */
export function parseLua(text: string): LuaParse {
  if (last?.text !== text) last = { text, parse: parse(text) };
  return last.parse;
}

function parse(text: string): LuaParse {
  try {
    const chunk = luaparse.load().parse(text, OPTIONS);
    return { ok: true, chunk, comments: chunk.comments ?? [] };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, message: 'nested too deeply', offset: 0 };
    const { message, index } = error as Error & { index?: number };
    return {
      ok: false,
      message: message.replace(/^\[\d+:\d+\] /, ''),
      offset: Math.min(index ?? 0, text.length),
    };
  }
}

/** Stands in a script for what JavaScript fills in at run time: `__js_0__`, `__js_1__` … */
export const HOLE = /__js_\d+__/;
