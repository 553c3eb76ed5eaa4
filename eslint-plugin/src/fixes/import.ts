/** Brings names of a package into a file: one import or require, merged into what is there. */
import type { Node, Range, Scope, SourceCode, TSESTree } from '../types.js';
import { moduleTypeOf } from '../project/index.js';
import { calleeName, propertyName, unwrap } from '../model/ast.js';

export interface ImportRequest {
  source: string;
  names: readonly string[];
  /** The place where the names are used: they must mean the import there. */
  at: Node;
  filename: string;
}

export interface ImportEdit {
  range: Range;
  text: string;
}

export interface BroughtNames {
  /** What to write for each name: itself, an alias, or a member of a namespace. */
  local: Readonly<Record<string, string>>;
  edits: readonly ImportEdit[];
}

/** Null where the kind of module can't be told, or where the file leaves no safe place. */
export function ensureImport(sourceCode: SourceCode, request: ImportRequest): BroughtNames | null {
  const program = sourceCode.ast as unknown as TSESTree.Program;
  const kind = moduleKind(sourceCode, program, request.filename);
  if (!kind) return null;
  const bound =
    kind === 'module' ? boundByImports(program, request.source) : boundByRequires(program, request.source);
  const local: Record<string, string> = {};
  const missing: string[] = [];
  for (const name of request.names) {
    const known = bound.names.get(name) ?? (bound.namespace ? `${bound.namespace}.${name}` : null);
    if (known && isVisible(sourceCode, request.at, known.split('.')[0] ?? known, program))
      local[name] = known;
    else missing.push(name);
  }
  if (missing.length === 0) return { local, edits: [] };
  for (const name of missing) local[name] = freeName(sourceCode, request.at, name, program);
  const specifiers = missing.map((name) => specifier(name, local[name] ?? name, kind));
  const edit = bound.list
    ? mergedInto(sourceCode, bound.list, specifiers)
    : newDeclaration(sourceCode, program, kind, specifiers, request.source);
  return edit && { local, edits: [edit] };
}

type Kind = 'module' | 'commonjs';

const specifier = (name: string, local: string, kind: Kind): string => {
  if (name === local) return name;
  return kind === 'module' ? `${name} as ${local}` : `${name}: ${local}`;
};

/** Syntax first, then the file's ending and its package; the linter's `sourceType` says nothing. */
function moduleKind(sourceCode: SourceCode, program: TSESTree.Program, filename: string): Kind | null {
  const esm = program.body.some(
    (statement) =>
      (statement.type === 'ImportDeclaration' || statement.type.startsWith('Export')) &&
      (statement.type as string) !== 'TSExportAssignment',
  );
  if (esm || program.body.some(isImportEquals)) return 'module';
  if (/\.[cm]ts$|\.tsx?$/.test(filename) && !usesRequire(sourceCode)) return 'module';
  return usesRequire(sourceCode) ? 'commonjs' : moduleTypeOf(filename);
}

const isImportEquals = (statement: Node): boolean =>
  (statement.type as string) === 'TSImportEqualsDeclaration';

/** Does the file call `require` or write `exports` or `module.exports`? */
function usesRequire(sourceCode: SourceCode): boolean {
  const manager = sourceCode.scopeManager;
  const free = manager?.globalScope?.through ?? [];
  const names = new Set(['require', 'exports', 'module']);
  if (free.some((reference) => names.has(reference.identifier.name))) return true;
  // A linter that knows Node's globals has bound them.
  return [...names].some((name) => (manager?.globalScope?.set.get(name)?.references.length ?? 0) > 0);
}

interface Bound {
  /** Imported name -> local name. */
  names: Map<string, string>;
  namespace: string | null;
  /** The declaration that further names can be put into. */
  list: TSESTree.ImportDeclaration | TSESTree.ObjectPattern | null;
}

function boundByImports(program: TSESTree.Program, source: string): Bound {
  const bound: Bound = { names: new Map(), namespace: null, list: null };
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || statement.source.value !== source) continue;
    if (statement.importKind === 'type') continue;
    let namespace = false;
    for (const item of statement.specifiers) {
      if (item.type === 'ImportNamespaceSpecifier') {
        bound.namespace = item.local.name;
        namespace = true;
      } else if (item.type === 'ImportSpecifier' && item.importKind !== 'type') {
        bound.names.set(propertyName(item.imported) ?? '', item.local.name);
      }
    }
    if (!namespace && statement.specifiers.length > 0) bound.list ??= statement;
  }
  return bound;
}

function boundByRequires(program: TSESTree.Program, source: string): Bound {
  const bound: Bound = { names: new Map(), namespace: null, list: null };
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const declarator of statement.declarations) {
      if (!isRequireOf(declarator.init, source)) continue;
      if (declarator.id.type === 'Identifier') bound.namespace = declarator.id.name;
      if (declarator.id.type !== 'ObjectPattern') continue;
      for (const property of declarator.id.properties) {
        if (property.type === 'Property' && property.value.type === 'Identifier') {
          bound.names.set(propertyName(property) ?? '', property.value.name);
        }
      }
      if (!declarator.id.properties.some((p) => p.type === 'RestElement')) bound.list ??= declarator.id;
    }
  }
  return bound;
}

function isRequireOf(init: Node | null | undefined, source?: string): boolean {
  const node = init && unwrap(init);
  if (node?.type !== 'CallExpression' || calleeName(node) !== 'require') return false;
  const argument = node.arguments[0];
  return argument?.type === 'Literal' && (source === undefined || argument.value === source);
}

/** Is the name at the place the one of the module, not one of a function around it? */
function isVisible(sourceCode: SourceCode, at: Node, name: string, program: TSESTree.Program): boolean {
  for (let scope = sourceCode.getScope(at) as Scope | null; scope; scope = scope.upper) {
    if (scope.set.has(name)) return scope.block === program || scope.type === ('module' as never);
  }
  return false;
}

/** The name, or the name with underscores, that nothing else uses between the module and the place. */
function freeName(sourceCode: SourceCode, at: Node, wanted: string, program: TSESTree.Program): string {
  const scopes = (sourceCode.scopeManager?.scopes ?? []) as unknown as readonly Scope[];
  const top = scopes.filter((scope) => scope.block === program);
  const taken = (name: string): boolean => {
    if (top.some((scope) => scope.set.has(name))) return true;
    if (scopes[0]?.through.some((reference) => reference.identifier.name === name)) return true;
    for (let scope = sourceCode.getScope(at) as Scope | null; scope; scope = scope.upper) {
      if (scope.set.has(name)) return true;
    }
    return false;
  };
  let name = wanted;
  while (taken(name)) name += '_';
  return name;
}

function mergedInto(
  sourceCode: SourceCode,
  list: TSESTree.ImportDeclaration | TSESTree.ObjectPattern,
  specifiers: readonly string[],
): ImportEdit | null {
  const added = specifiers.join(', ');
  const tokens = sourceCode.getTokens(list);
  const open = tokens.find((token) => token.value === '{');
  if (!open) {
    // import lockproof from 'lockproof'
    const last = (list as TSESTree.ImportDeclaration).specifiers.at(-1);
    return last ? { range: [last.range[1], last.range[1]], text: `, { ${added} }` } : null;
  }
  const close = tokens.find((token) => token.value === '}' && token.range[0] > open.range[0]);
  if (!close) return null;
  const before = sourceCode.getTokenBefore(close, { includeComments: true });
  if (!before || before.type === ('Line' as never) || before.type === ('Block' as never)) return null;
  const at = before.range[1];
  if (before.value === '{') return { range: [at, close.range[0]], text: ` ${added} ` };
  const separator = before.value === ',' ? ' ' : ', ';
  return { range: [at, at], text: before.value === ',' ? `${separator}${added},` : `${separator}${added}` };
}

function newDeclaration(
  sourceCode: SourceCode,
  program: TSESTree.Program,
  kind: Kind,
  specifiers: readonly string[],
  source: string,
): ImportEdit {
  const { quote, semicolon } = styleOf(sourceCode, program);
  const names = `{ ${specifiers.join(', ')} }`;
  const text =
    kind === 'module'
      ? `import ${names} from ${quote}${source}${quote}${semicolon}`
      : `const ${names} = require(${quote}${source}${quote})${semicolon}`;
  const newline = sourceCode.text.includes('\r\n') ? '\r\n' : '\n';
  const after = lastOf(program, kind);
  if (after) return { range: [after.range[1], after.range[1]], text: `${newline}${text}` };
  const first = program.body[0];
  const start = first?.range[0] ?? sourceCode.text.length;
  return { range: [start, start], text: `${text}${newline}` };
}

/** The statement that the new one goes after: the last import, the last of the leading requires, else the last directive. */
function lastOf(program: TSESTree.Program, kind: Kind): Node | null {
  const { body } = program;
  if (kind === 'module') {
    const imports = body.filter(
      (statement) => statement.type === 'ImportDeclaration' || isImportEquals(statement),
    );
    return imports.at(-1) ?? lastDirective(program);
  }
  let last: Node | null = lastDirective(program);
  for (const statement of body) {
    if (isDirective(statement)) continue;
    if (statement.type !== 'VariableDeclaration' || !statement.declarations.every((d) => isRequiring(d.init)))
      break;
    last = statement;
  }
  return last;
}

/** `require('x')`, `require('x').y` and `require('x')()`. */
function isRequiring(init: Node | null): boolean {
  const node = init && unwrap(init);
  if (node?.type === 'MemberExpression') return isRequiring(node.object);
  if (node?.type === 'CallExpression' && node.callee.type !== 'Identifier') return isRequiring(node.callee);
  return isRequireOf(node);
}

const isDirective = (statement: Node): boolean =>
  statement.type === 'ExpressionStatement' &&
  typeof (statement as { directive?: unknown }).directive === 'string';

const lastDirective = (program: TSESTree.Program): Node | null =>
  program.body.filter(isDirective).at(-1) ?? null;

/** Quotes and semicolons as the file's first import, require or directive has them. */
function styleOf(sourceCode: SourceCode, program: TSESTree.Program): { quote: string; semicolon: string } {
  const model = program.body.find(
    (statement) =>
      statement.type === 'ImportDeclaration' ||
      isDirective(statement) ||
      (statement.type === 'VariableDeclaration' && statement.declarations.some((d) => isRequiring(d.init))),
  );
  if (!model) return { quote: "'", semicolon: ';' };
  const text = sourceCode.getText(model);
  const quote = /["']/.exec(text)?.[0] ?? "'";
  return { quote, semicolon: text.endsWith(';') ? ';' : '' };
}
