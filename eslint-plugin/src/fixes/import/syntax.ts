/** How a file brings in other modules. */
import { moduleTypeOf } from '../../project/index.js';
import type { Node, Program, SourceCode, TSESTree } from '../../types.js';
import { once } from '../../once.js';

/** `import =` is TypeScript's own form of CommonJS, the only one that `verbatimModuleSyntax` allows there. */
export type Syntax = 'import' | 'require' | 'import =';

/** The syntax tree's root, in the types that the whole plugin uses. */
export const programOf = (sourceCode: SourceCode): Program => sourceCode.ast;

/** The file's own syntax first, then its ending, then its package; a linter's `sourceType` is often wrong. */
export function syntaxOf(sourceCode: SourceCode, filename: string): Syntax | null {
  const written = writtenSyntax(sourceCode);
  if (written) return written;
  if (filename.endsWith('.cts')) return 'import =';
  if (/\.(?:tsx?|vue|svelte|astro)$/.test(filename)) return 'import';
  const type = moduleTypeOf(filename);
  return type && (type === 'module' ? 'import' : 'require');
}

const writtenSyntax = once((sourceCode: SourceCode): Syntax | null => {
  const { body } = programOf(sourceCode);
  if (body.some(isEsModuleSyntax)) return 'import';
  if (body.some((statement) => importEqualsSource(statement) !== null || isExportEquals(statement)))
    return 'import =';
  return usesCommonJs(sourceCode) ? 'require' : null;
});

const isExportEquals = (statement: Node): boolean => statement.type === 'TSExportAssignment';

const isEsModuleSyntax = (statement: Node): boolean =>
  statement.type === 'ImportDeclaration' ||
  statement.type === 'ExportNamedDeclaration' ||
  statement.type === 'ExportDefaultDeclaration' ||
  statement.type === 'ExportAllDeclaration';

/** The literal of `import x = require('source')`. */
export function importEqualsSource(statement: Node): TSESTree.StringLiteral | null {
  if (statement.type !== 'TSImportEqualsDeclaration') return null;
  const { moduleReference } = statement;
  return moduleReference.type === 'TSExternalModuleReference' ? moduleReference.expression : null;
}

/** The literal of `require('source')`. */
export function requireSource(node: Node | null): TSESTree.StringLiteral | null {
  if (node?.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require')
    return null;
  const argument = node.arguments[0];
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument : null;
}

/** The literal in `require('x')`, `require('x').y` and `require('x')(…)`. */
export function requiredSource(node: Node | null): TSESTree.StringLiteral | null {
  if (node?.type === 'MemberExpression') return requiredSource(node.object);
  if (node?.type === 'CallExpression' && node.callee.type !== 'Identifier')
    return requiredSource(node.callee);
  return requireSource(node);
}

export const isDirective = (statement: Node): boolean =>
  statement.type === 'ExpressionStatement' && typeof statement.directive === 'string';

/** Does the file speak of `require`, `exports` or `module.exports`, and not of something of its own with that name? */
function usesCommonJs(sourceCode: SourceCode): boolean {
  return (
    globalUses(sourceCode, 'require').length > 0 ||
    globalUses(sourceCode, 'exports').length > 0 ||
    globalUses(sourceCode, 'module').some(({ parent }) => {
      return (
        parent?.type === 'MemberExpression' &&
        parent.property.type === 'Identifier' &&
        parent.property.name === 'exports'
      );
    })
  );
}

/** Uses of a name that the file does not declare, whether the linter knows the global or not. */
function globalUses(sourceCode: SourceCode, name: string): Node[] {
  const globalScope = sourceCode.scopeManager?.globalScope;
  const variable = globalScope?.set.get(name);
  const known = variable?.defs.length === 0 ? variable.references : [];
  const unknown = globalScope?.through.filter(({ identifier }) => identifier.name === name) ?? [];
  return [...known, ...unknown].map(({ identifier }) => identifier);
}
