/** The tree of a `.lua` file that ESLint and rules see: one node, and the comments. */
import { rangeOf, type lua } from '../lua/ast.js';

interface Position {
  /** From 1. */
  line: number;
  /** From 0, in UTF-16 units. */
  column: number;
}

export interface Loc {
  start: Position;
  end: Position;
}

export interface LuaComment {
  type: 'Comment';
  /** Without the dashes and brackets around. */
  value: string;
  range: [number, number];
  loc: Loc;
}

/** The whole file: rules ask for the verdict on its text, so that nothing below it is visited. */
export interface LuaChunk {
  type: 'Chunk';
  range: [number, number];
  loc: Loc;
  comments: readonly LuaComment[];
}

export const LINE_END = /\r\n|[\r\n]/;

export const chunkOf = (text: string, comments: readonly lua.Comment[]): LuaChunk => ({
  type: 'Chunk',
  range: [0, text.length],
  loc: { start: { line: 1, column: 0 }, end: positionAt(text, text.length) },
  comments: comments.map((comment) => {
    const [start, end] = rangeOf(comment);
    const { loc } = comment as lua.Comment & { loc: Loc };
    return { type: 'Comment', value: comment.value, range: [start, end], loc };
  }),
});

export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(LINE_END);
  return { line: lines.length, column: lines.at(-1)?.length ?? 0 };
}
