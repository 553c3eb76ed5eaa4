/** Small helpers over luaparse's syntax tree; its published types know neither ranges nor decoded strings. */
import type * as lua from 'luaparse';

export type { lua };

/** Start and end offset in the text, in UTF-16 units; the end is exclusive. */
export type Range = readonly [start: number, end: number];

export type Call = lua.CallExpression | lua.StringCallExpression | lua.TableCallExpression;

export function rangeOf(node: object): Range {
  return (node as { range?: Range }).range ?? [0, 0];
}

export const isCall = (node: lua.Expression): node is Call =>
  node.type === 'CallExpression' ||
  node.type === 'StringCallExpression' ||
  node.type === 'TableCallExpression';

export function callArguments(call: Call): lua.Expression[] {
  if (call.type === 'CallExpression') return call.arguments;
  return call.type === 'StringCallExpression' ? [call.argument] : [call.arguments];
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text that a string literal stands for (luaparse leaves it out unless told an encoding). */
export function stringValue(literal: lua.StringLiteral): string {
  const { raw } = literal;
  const long = /^\[=*\[/.exec(raw);
  if (long) return raw.slice(long[0].length, -long[0].length).replace(/^(\r\n|\n\r|\n|\r)/, '');
  return raw
    .slice(1, -1)
    .replace(/\\(\d{1,3}|\r\n|\n\r|[^])/g, (_, escape: string) =>
      /^\d/.test(escape) ? String.fromCharCode(Number(escape)) : (ESCAPES[escape] ?? escape),
    );
}

/** Names that the statements assign, or change through `table.insert(name, …)` and `name[…] = …`. */
export function assignedNames(body: readonly lua.Statement[]): Set<string> {
  const names = new Set<string>();
  const pending: unknown[] = [...body];
  while (pending.length > 0) {
    const node = pending.pop() as lua.Node;
    if (node.type === 'AssignmentStatement') for (const target of node.variables) addRoot(names, target);
    if (node.type === 'CallExpression' && node.arguments[0] && isInsert(node.base))
      addRoot(names, node.arguments[0]);
    for (const child of Object.values(node).flat()) {
      if (typeof child === 'object' && child !== null && 'type' in child) pending.push(child);
    }
  }
  return names;
}

/** `table.insert`, or a local name for it. */
function isInsert(callee: lua.Expression): boolean {
  if (callee.type === 'MemberExpression') return callee.identifier.name === 'insert';
  return callee.type === 'Identifier' && callee.name.toLowerCase().endsWith('insert');
}

function addRoot(names: Set<string>, target: lua.Expression): void {
  let node = target;
  while (node.type === 'MemberExpression' || node.type === 'IndexExpression') node = node.base;
  if (node.type === 'Identifier') names.add(node.name);
}
