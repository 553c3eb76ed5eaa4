/** Where a new import or require goes. */
import type { Node, Program, SourceCode, TSESTree } from '../../types.js';
import { once } from '../../once.js';
import { startWithOwnComments } from './header.js';
import { importEqualsSource, isDirective, programOf, requiredSource, type Syntax } from './syntax.js';
import { endOfLine, indentAt, newlineOf } from './text.js';

export interface Place {
  at: number;
  /** What parts the new statement from the text before and after it. */
  before: string;
  after: string;
  /** Without a semicolon, what follows would go on with the new statement. */
  needsSemicolon: boolean;
}

/** Below the last import or leading require, else below the directives, else above the first statement. */
export function placeFor(sourceCode: SourceCode, syntax: Syntax, usedAt: readonly Node[]): Place {
  const program = programOf(sourceCode);
  const newline = newlineOf(sourceCode);
  const neighbour =
    (syntax === 'require' ? lastLeadingRequire(program, usedAt) : lastImport(program)) ??
    lastDirective(program);
  if (neighbour) {
    const lineEnd = endOfLine(sourceCode, neighbour.range[1]);
    return {
      at: lineEnd ?? neighbour.range[1],
      before: newline + indentAt(sourceCode, neighbour.range[0]),
      after: '',
      needsSemicolon: lineEnd === null || goesOn(sourceCode.getTokenAfter(neighbour)),
    };
  }
  const [first] = program.body;
  if (first) {
    const at = startWithOwnComments(sourceCode, first);
    const after = newline + indentAt(sourceCode, at);
    return { at, before: '', after, needsSemicolon: goesOn(sourceCode.getFirstToken(first)) };
  }
  const at = program.range[1];
  const before = /(?:^|[\r\n])[^\S\r\n]*$/.test(sourceCode.text.slice(0, at)) ? '' : newline;
  return { at, before, after: newline, needsSemicolon: false };
}

const goesOn = (token: TSESTree.Token | null): boolean => token !== null && /^[([`/*+\-.,]/.test(token.value);

const isImport = (statement: Node): boolean =>
  statement.type === 'ImportDeclaration' || importEqualsSource(statement) !== null;

const lastImport = once(({ body }: Program) => body.findLast(isImport));
const lastDirective = once(({ body }: Program) => body.findLast(isDirective));

/** The last require declaration of the block at the top that does nothing else, and that ends above the places. */
function lastLeadingRequire({ body }: Program, usedAt: readonly Node[]): Node | null {
  let last: Node | null = null;
  for (const statement of body) {
    if (isDirective(statement)) continue;
    if (usedAt.some(({ range }) => range[0] < statement.range[1])) break;
    if (statement.type === 'VariableDeclaration') {
      if (!statement.declarations.every(({ init }) => requiredSource(init))) break;
      last = statement;
    } else if (statement.type !== 'ExpressionStatement' || !requiredSource(statement.expression)) break;
  }
  return last;
}
