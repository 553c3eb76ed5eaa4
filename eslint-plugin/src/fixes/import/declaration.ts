/** A new import or require, in the style of those that are there. */
import type { Node, SourceCode, TSESTree } from '../../types.js';
import { once } from '../../once.js';
import { placeFor } from './place.js';
import { importEqualsSource, isDirective, programOf, requiredSource, type Syntax } from './syntax.js';
import { insert, type ImportEdit } from './text.js';

export interface NewDeclaration {
  syntax: Syntax;
  source: string;
  /** What it binds: names in braces, or one name for the whole module. */
  bound: string;
}

export function newDeclaration(
  sourceCode: SourceCode,
  wanted: NewDeclaration,
  usedAt: readonly Node[],
): ImportEdit {
  const style = styleOf(sourceCode);
  const place = placeFor(sourceCode, wanted.syntax, usedAt);
  const semicolon = style.semicolon || place.needsSemicolon ? ';' : '';
  const statement = statementText(wanted, style.quote + wanted.source + style.quote) + semicolon;
  return insert(place.at, place.before + statement + place.after);
}

function statementText({ syntax, bound }: NewDeclaration, source: string): string {
  switch (syntax) {
    case 'import':
      return `import ${bound} from ${source}`;
    case 'require':
      return `const ${bound} = require(${source})`;
    case 'import =':
      return `import ${bound} = require(${source})`;
  }
}

/** Quotes and semicolon as the file's first import or require has them, else its first directive. */
const styleOf = once((sourceCode: SourceCode): { quote: string; semicolon: boolean } => {
  const { body } = programOf(sourceCode);
  const model = body.find((statement) => sourceOf(statement)) ?? body.find(isDirective);
  if (!model) return { quote: "'", semicolon: true };
  const literal = sourceOf(model) ?? model;
  return {
    quote: sourceCode.getText(literal).charAt(0),
    semicolon: sourceCode.getLastToken(model)?.value === ';',
  };
});

/** The literal that names the module which a statement brings in. */
function sourceOf(statement: Node): TSESTree.StringLiteral | null {
  switch (statement.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return statement.source;
    case 'VariableDeclaration':
      return requiredSource(statement.declarations[0].init);
    default:
      return importEqualsSource(statement);
  }
}
