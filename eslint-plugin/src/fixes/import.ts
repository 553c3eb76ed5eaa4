/** Brings names of a package into a file: one import or require, merged into what is there. */
import type { Node, SourceCode } from '../types.js';
import { bindingsOf, type Binding } from './import/bindings.js';
import { newDeclaration } from './import/declaration.js';
import { mergeInto, specifiers } from './import/list.js';
import { freeName, isVisible } from './import/names.js';
import { syntaxOf } from './import/syntax.js';
import type { ImportEdit } from './import/text.js';

export type { ImportEdit };

export interface ImportRequest {
  source: string;
  names: readonly string[];
  /** The places where the names are used: they must mean the import there. */
  at: Node | readonly Node[];
  filename: string;
}

export interface BroughtNames {
  /** What to write for each name: itself, an alias, or a member of the whole module. */
  local: Readonly<Record<string, string>>;
  /** In the order of the text; none when every name is there already. */
  edits: readonly ImportEdit[];
}

/** Null where neither the file nor its package tells an ES module from CommonJS. */
export function ensureImport(sourceCode: SourceCode, request: ImportRequest): BroughtNames | null {
  const { source, names, filename } = request;
  const places = [request.at].flat() as readonly Node[];
  const syntax = syntaxOf(sourceCode, filename);
  if (!syntax) return null;
  const { bindings, list } = bindingsOf(sourceCode, source, places);

  const local: Record<string, string> = {};
  const missing: string[] = [];
  for (const name of names) {
    const known = knownAs(sourceCode, bindings, name, places);
    if (known) local[name] = known;
    else missing.push(name);
  }
  if (missing.length === 0) return { local, edits: [] };

  if (!list && syntax === 'import =') {
    const whole = freeName(sourceCode, places, identifierFor(source));
    for (const name of missing) local[name] = `${whole}.${name}`;
    return { local, edits: [newDeclaration(sourceCode, { syntax, source, bound: whole }, places)] };
  }
  const added = missing.map((name) => ({ name, local: freeName(sourceCode, places, name) }));
  for (const item of added) local[item.name] = item.local;
  if (list) return { local, edits: mergeInto(sourceCode, list, added) };
  const bound = `{ ${specifiers(added, syntax === 'import' ? ' as ' : ': ').join(', ')} }`;
  return { local, edits: [newDeclaration(sourceCode, { syntax, source, bound }, places)] };
}

/** What a name of the package is called at the places already: by its own binding, else as a member of the module. */
function knownAs(
  sourceCode: SourceCode,
  bindings: readonly Binding[],
  name: string,
  places: readonly Node[],
): string | null {
  const visible = bindings.filter(({ local }) => isVisible(sourceCode, places, local));
  const own = visible.find(({ imported }) => imported === name);
  if (own) return own.local;
  const whole = visible.find(({ imported }) => imported === null);
  return whole ? `${whole.local}.${name}` : null;
}

/** `@scope/some-name` -> `name` */
const identifierFor = (source: string): string => /[A-Za-z_$][\w$]*$/.exec(source)?.[0] ?? 'imported';
