/** Type-checks blocks of code as a user's modules beside this package. */
import { join } from 'node:path';
import ts from 'typescript';
import { root, type Block } from './page.js';

/** What the pages take for granted: clients, and work of the reader's own. */
const GIVEN = `
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { Locks } from 'lockproof';
declare global {
  const redis: Redis;
  const pool: Pool;
  const locks: Locks;
  const id: number;
  function work(signal?: AbortSignal): Promise<void>;
}
`;

const OPTIONS: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
};

/** The errors of each block, one program for all of them. */
export function typeErrors(blocks: readonly Block[]): Map<Block, string[]> {
  // Below the tests, so that packages resolve as in a user's project; the files exist in memory only.
  const pathOf = (index: number): string => join(root, 'test/runtime', `page-block-${String(index)}.mts`);
  const given = join(root, 'test/runtime/page-given.d.mts');
  const texts = new Map(blocks.map(({ code }, index) => [pathOf(index), code]));
  texts.set(given, GIVEN);

  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, target, ...rest) => {
      const text = texts.get(path);
      return text === undefined
        ? disk.getSourceFile(path, target, ...rest)
        : ts.createSourceFile(path, text, target);
    },
  };
  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  const errorsOf = (path: string): string[] => {
    const file = program.getSourceFile(path);
    if (!file) throw new Error(`${path} is not part of the program`);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = file.getLineAndCharacterOfPosition(start).line + 1;
        return `line ${String(line)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  };
  const givenErrors = errorsOf(given);
  if (givenErrors.length > 0) throw new Error(givenErrors.join('\n'));
  return new Map(blocks.map((block, index) => [block, errorsOf(pathOf(index))]));
}
