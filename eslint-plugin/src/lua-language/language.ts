/** ESLint's language for `.lua` files. Needs ESLint 9.7; older ones and oxlint know no languages and leave it alone. */
import { parseLua } from '../lua/parse.js';
import { createLuaSourceCode, type LuaSourceCode } from './source-code.js';
import { chunkOf, positionAt, type LuaChunk } from './tree.js';

interface LuaFile {
  /** Without a byte order mark: ESLint takes it off. */
  body: string;
}

type ParseResult =
  | { ok: true; ast: LuaChunk }
  /** Lines from 1 and, unlike in nodes, columns from 1, too. */
  | { ok: false; errors: { message: string; line: number; column: number }[] };

export const luaLanguage = {
  fileType: 'text' as const,
  lineStart: 1 as const,
  columnStart: 0 as const,
  nodeTypeKey: 'type',
  visitorKeys: { Chunk: [] as string[] },

  /** There is nothing to set, and what a config sets for JavaScript has no meaning here. */
  validateLanguageOptions(): void {
    return;
  },

  parse({ body }: LuaFile): ParseResult {
    const parsed = parseLua(body);
    if (parsed.ok) return { ok: true, ast: chunkOf(body, parsed.comments) };
    const { line, column } = positionAt(body, parsed.offset);
    return { ok: false, errors: [{ message: parsed.message, line, column: column + 1 }] };
  },

  createSourceCode: ({ body }: LuaFile, { ast }: { ast: LuaChunk }): LuaSourceCode =>
    createLuaSourceCode(body, ast),
};
