/** The options of a SET call, in the spelling of any client: positional words, an object, an array. */
import type { Node, SourceCode, TSESTree } from '../types.js';
import { objectProperty, propertyName, stringValue, unwrap } from './ast.js';
import { resolve } from './values.js';

type Unit = 's' | 'ms' | 'unix';

export interface SetOptions {
  nx: boolean;
  xx: boolean;
  get: boolean;
  ttl: { node: Node; unit: Unit } | null;
  /** How the options are written: `'NX'`, `{ NX: true }`, `{ nx: true }`, `{ condition: 'NX' }`, `{ conditionalSet: … }`. */
  spelling: 'none' | 'positional' | 'upper' | 'lower' | 'condition' | 'glide';
}

const UNITS: Readonly<Record<string, Unit>> = { EX: 's', PX: 'ms', EXAT: 'unix', PXAT: 'unix' };

export function readSetOptions(sourceCode: SourceCode, args: readonly Node[]): SetOptions {
  const options: SetOptions = { nx: false, xx: false, get: false, ttl: null, spelling: 'none' };
  const words = args.flatMap((arg) => {
    const node = unwrap(arg);
    return node.type === 'ArrayExpression' ? node.elements.filter((e) => e !== null) : [arg];
  });
  let i = 0;
  for (const word of words) {
    const following = words[++i];
    const text = stringValue(resolve(sourceCode, word))?.toUpperCase();
    if (text !== undefined) {
      const unit = UNITS[text];
      if (text === 'NX') options.nx = true;
      else if (text === 'XX') options.xx = true;
      else if (text === 'GET') options.get = true;
      else if (!unit) continue;
      if (options.spelling === 'none') options.spelling = 'positional';
      if (unit && following) options.ttl = { node: following, unit };
      continue;
    }
    const object = resolve(sourceCode, word);
    if (object.type === 'ObjectExpression') readObject(sourceCode, object, options);
  }
  return options;
}

const isTrue = (node: Node): boolean => !(node.type === 'Literal' && node.value === false);

function readObject(sourceCode: SourceCode, object: TSESTree.ObjectExpression, options: SetOptions): void {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      readSpread(sourceCode, property.argument, options);
      continue;
    }
    const name = propertyName(property);
    const value = property.value as Node;
    switch (name) {
      case 'NX':
      case 'nx':
        options.nx = isTrue(value);
        options.spelling = name === 'NX' ? 'upper' : 'lower';
        break;
      case 'XX':
      case 'xx':
        options.xx = isTrue(value);
        break;
      case 'GET':
      case 'get':
        options.get = isTrue(value);
        break;
      case 'EX':
      case 'ex':
      case 'PX':
      case 'px':
      case 'EXAT':
      case 'exat':
      case 'PXAT':
      case 'pxat':
        options.ttl = { node: value, unit: UNITS[name.toUpperCase()] ?? 'ms' };
        if (options.spelling === 'none') options.spelling = name === name.toUpperCase() ? 'upper' : 'lower';
        break;
      case 'condition':
        options.nx ||= stringValue(value)?.toUpperCase() === 'NX';
        options.xx ||= stringValue(value)?.toUpperCase() === 'XX';
        options.spelling = 'condition';
        break;
      case 'conditionalSet':
        options.nx ||= stringValue(value) === 'onlyIfDoesNotExist';
        options.xx ||= stringValue(value) === 'onlyIfExists';
        options.spelling = 'glide';
        break;
      case 'expiration':
      case 'expiry':
        readExpiration(resolve(sourceCode, value), options);
        break;
    }
  }
}

function readSpread(sourceCode: SourceCode, argument: Node, options: SetOptions): void {
  const node = resolve(sourceCode, argument);
  const parts = node.type === 'ConditionalExpression' ? [node.consequent, node.alternate] : [node];
  for (const part of parts) {
    const inner = unwrap(part);
    if (inner.type === 'ObjectExpression') readObject(sourceCode, inner, options);
    else if (inner.type === 'LogicalExpression') readSpread(sourceCode, inner.right, options);
  }
}

/** `{ type: 'PX', value: n }` of node-redis 5 and `{ type: TimeUnit.Milliseconds, count: n }` of GLIDE. */
function readExpiration(node: Node, options: SetOptions): void {
  if (node.type !== 'ObjectExpression') return;
  const type = objectProperty(node, 'type')?.value as Node | undefined;
  const value = (objectProperty(node, 'value') ?? objectProperty(node, 'count'))?.value as Node | undefined;
  if (!type || !value) return;
  const unit = UNITS[stringValue(type)?.toUpperCase() ?? ''];
  const member = type.type === 'MemberExpression' ? propertyName(type) : null;
  options.ttl = { node: value, unit: unit ?? (member === 'Seconds' ? 's' : 'ms') };
}
