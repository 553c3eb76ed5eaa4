/** Where a lock's token goes into a log. */
import type { Node } from '../types.js';
import { calleeName, parentOf, unwrap } from './ast.js';
import type { Model } from './index.js';
import { tokenOf } from './tokens.js';
import { variableOf } from './values.js';

const LOGGER = /^(?:this\.)?_?(?:console|log|logger|winston|pino)\b/i;
const LEVEL = /^(?:log|info|warn|error|debug|trace|verbose|fatal|silly)$/;

/** The uses of token variables inside the arguments of log calls. */
export function loggedTokens(model: Model): { node: Node; key: string }[] {
  const { sourceCode } = model.file;
  return model.locks.flatMap(({ acquire }) => {
    const value = acquire.value && unwrap(acquire.value);
    if (value?.type !== 'Identifier' || tokenOf(sourceCode, value).kind !== 'unique') return [];
    const reads = variableOf(sourceCode, value)?.references.filter((r) => r.isRead()) ?? [];
    return reads
      .map((read) => read.identifier as Node)
      .filter((node) => isLogged(node, (callee) => sourceCode.getText(callee)))
      .map((node) => ({ node, key: acquire.key.text }));
  });
}

/** Is the node itself, a template's part or an object's property of it, an argument of a log call? */
function isLogged(node: Node, textOf: (callee: Node) => string): boolean {
  for (let child = node, up = parentOf(node); up; child = up, up = parentOf(up)) {
    switch (up.type) {
      case 'TemplateLiteral':
      case 'ObjectExpression':
      case 'BinaryExpression':
        continue;
      case 'Property':
        if (up.value !== child || up.shorthand) return false;
        continue;
      case 'CallExpression':
        return up.callee !== child && LEVEL.test(calleeName(up) ?? '') && LOGGER.test(textOf(up.callee));
      default:
        return false;
    }
  }
  return false;
}
