/** What a file has of a package already. Types are no values: `import type` and `{ type x }` do not count. */
import { propertyName } from '../../model/ast.js';
import type { Node, SourceCode, TSESTree } from '../../types.js';
import { once } from '../../once.js';
import { isList, type List } from './list.js';
import { importEqualsSource, programOf, requireSource } from './syntax.js';

export interface Binding {
  /** Null for the whole module. */
  imported: string | null;
  local: string;
}

export interface Bindings {
  bindings: readonly Binding[];
  /** The braces that further names can be put into. */
  list: List | null;
}

/** The statements that may bring in modules. */
const bringing = once((sourceCode: SourceCode) =>
  programOf(sourceCode).body.filter(
    (statement) =>
      statement.type === 'ImportDeclaration' ||
      statement.type === 'TSImportEqualsDeclaration' ||
      (statement.type === 'VariableDeclaration' && /\brequire\b/.test(sourceCode.getText(statement))),
  ),
);

/** A require counts only above the places: a constant can't be read before its declaration has run. */
export function bindingsOf(sourceCode: SourceCode, source: string, places: readonly Node[]): Bindings {
  const first = Math.min(...places.map(({ range }) => range[0]));
  const bindings: Binding[] = [];
  const lists: List[] = [];
  for (const statement of bringing(sourceCode)) {
    if (statement.type === 'ImportDeclaration') {
      if (statement.source.value !== source || !isValue(statement)) continue;
      bindings.push(...statement.specifiers.flatMap(importedBy));
      if (isList(sourceCode, statement)) lists.push(statement);
    } else if (statement.type === 'TSImportEqualsDeclaration') {
      if (importEqualsSource(statement)?.value !== source || !isValue(statement)) continue;
      bindings.push({ imported: null, local: statement.id.name });
    } else if (statement.type === 'VariableDeclaration' && statement.range[1] <= first) {
      for (const { id, init } of statement.declarations) {
        bindings.push(...requiredBy(id, init, source));
        if (id.type === 'ObjectPattern' && requireSource(init)?.value === source && isList(sourceCode, id))
          lists.push(id);
      }
    }
  }
  return { bindings, list: lists[0] ?? null };
}

/** Parsers of JavaScript leave the kind out. */
const isValue = ({ importKind }: { importKind?: string | null }): boolean =>
  (importKind ?? 'value') === 'value';

function importedBy(specifier: TSESTree.ImportClause): Binding[] {
  const local = specifier.local.name;
  if (specifier.type === 'ImportNamespaceSpecifier') return [{ imported: null, local }];
  if (specifier.type === 'ImportDefaultSpecifier') return [{ imported: 'default', local }];
  return isValue(specifier) ? [{ imported: propertyName(specifier.imported), local }] : [];
}

/** `const lp = require('x')`, `const { a: b } = require('x')` and `const b = require('x').a`. */
function requiredBy(id: Node, init: Node | null, source: string): Binding[] {
  if (requireSource(init)?.value === source) {
    if (id.type === 'Identifier') return [{ imported: null, local: id.name }];
    if (id.type !== 'ObjectPattern') return [];
    return id.properties.flatMap((property) =>
      property.type === 'Property' && property.value.type === 'Identifier'
        ? [{ imported: propertyName(property), local: property.value.name }]
        : [],
    );
  }
  return id.type === 'Identifier' &&
    init?.type === 'MemberExpression' &&
    requireSource(init.object)?.value === source
    ? [{ imported: propertyName(init), local: id.name }]
    : [];
}
