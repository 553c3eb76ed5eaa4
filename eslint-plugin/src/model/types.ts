/** What the type checker knows of a call, where the parser brings one. Nothing needs it. */
import type { Node, SourceCode } from '../types.js';
import { unwrap } from './ast.js';
import { libraryOfPackage, type Library } from './libraries.js';

interface Declaration {
  getSourceFile(): { fileName: string };
}

interface Services {
  program?: unknown;
  getSymbolAtLocation?(node: Node): { declarations?: Declaration[] } | undefined;
}

/** The folders below node_modules that declare the methods of each client. */
const DECLARED_IN =
  /[\\/]node_modules[\\/](ioredis|iovalkey|@redis[\\/]client|redis|@valkey[\\/]valkey-glide|@upstash[\\/]redis|bun-types|@types[\\/]ioredis)[\\/]/;
/** Declared by the language or the browser: Map, Set, Storage … */
const STANDARD = /[\\/]typescript[\\/]lib[\\/]lib\.|[\\/]lib\.(?:es|dom)/;

/** The library that declares the method which is called on a receiver; false when another one surely does. */
export function declaredLibrary(sourceCode: SourceCode, receiver: Node): Library | false | null {
  const services = sourceCode.parserServices as Services | undefined;
  const member = receiver.parent;
  if (!services?.program || !services.getSymbolAtLocation || member?.type !== 'MemberExpression') return null;
  if (unwrap(member.object) !== unwrap(receiver)) return null;
  const files = symbolFiles(services, member.property);
  for (const file of files) {
    const name = DECLARED_IN.exec(file)?.[1]?.replaceAll('\\', '/');
    if (name) return libraryOfPackage(name === 'bun-types' ? 'bun' : name);
  }
  return files.length > 0 && files.every((file) => STANDARD.test(file)) ? false : null;
}

/** An unresolved import is `any`: it has no symbol, and means that nothing is known. */
function symbolFiles(services: Services, property: Node): string[] {
  try {
    const symbol = services.getSymbolAtLocation?.(property);
    return symbol?.declarations?.map((declaration) => declaration.getSourceFile().fileName) ?? [];
  } catch {
    return [];
  }
}
