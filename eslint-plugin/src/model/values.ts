/** Where an expression's value comes from: through variables written once, class fields, constants of objects. */
import type { ClassNode, FunctionNode, Identifier, Node, SourceCode, TSESTree, Variable } from '../types.js';
import { once } from '../once.js';
import {
  classOf,
  functionOf,
  isClass,
  isFunction,
  parentOf,
  propertyName,
  unwrap,
  variableNamed,
  walk,
} from './ast.js';

export type Origin =
  | {
      kind: 'value';
      node: Node;
      /** where the value was put: the declaration or the assignment */ site: Node;
    }
  | { kind: 'parameter'; variable: Variable; fn: FunctionNode; fallback: Node | null }
  | { kind: 'import'; source: string; name: string }
  | { kind: 'unknown' };

type EnumMember = TSESTree.TSEnumMember;

const UNKNOWN: Origin = { kind: 'unknown' };

/** The variable that an identifier names. */
export const variableOf = (sourceCode: SourceCode, identifier: Identifier): Variable | null =>
  variableNamed(sourceCode, identifier, identifier.name);

const isNothing = (node: Node): boolean =>
  (node.type === 'Literal' && node.value === null) ||
  (node.type === 'Identifier' && node.name === 'undefined');

function assignedValue(reference: { identifier: Node; writeExpr?: Node | null }): Node | null {
  const value = reference.writeExpr;
  if (!value) return null;
  const up = parentOf(reference.identifier);
  // A destructured or compound write gives a part of the value, not the value.
  if (up?.type === 'AssignmentExpression' && up.left === reference.identifier && up.operator === '=')
    return value;
  return up?.type === 'VariableDeclarator' && up.id === reference.identifier ? value : null;
}

const originOfVariable = once((variable: Variable): Origin => {
  const def = variable.defs[0];
  if (!def || variable.defs.length > 1) return UNKNOWN;
  if (def.type === ('Parameter' as never)) {
    const fn = def.node as unknown as Node;
    if (!isFunction(fn)) return UNKNOWN;
    const name = def.name as Node;
    const up = parentOf(name);
    const fallback = up?.type === 'AssignmentPattern' && up.left === name ? up.right : null;
    return { kind: 'parameter', variable, fn, fallback };
  }
  if (def.type === ('ImportBinding' as never)) return importedBy(def.node);
  if (def.type !== ('Variable' as never)) return UNKNOWN;
  const required = requiredModule(def.node as unknown as TSESTree.VariableDeclarator, variable.name);
  if (required) return required;
  const writes = variable.references.filter((r) => r.isWrite());
  const values: { node: Node; site: Node }[] = [];
  for (const write of writes) {
    const node = assignedValue(write);
    if (!node) return UNKNOWN;
    if (!isNothing(node)) values.push({ node, site: write.identifier });
  }
  return values.length === 1 && values[0] ? { kind: 'value', ...values[0] } : UNKNOWN;
});

/** What an import specifier or `import x = require('m')` brings. */
function importedBy(specifier: Node): Origin {
  if (specifier.type === 'TSImportEqualsDeclaration') {
    const reference = specifier.moduleReference as Node;
    const source = reference.type === 'TSExternalModuleReference' ? reference.expression : null;
    return source?.type === 'Literal' ? { kind: 'import', source: source.value, name: '*' } : UNKNOWN;
  }
  const declaration = parentOf(specifier);
  if (declaration?.type !== 'ImportDeclaration') return UNKNOWN;
  const source = declaration.source.value;
  switch (specifier.type) {
    case 'ImportSpecifier':
      return { kind: 'import', source, name: propertyName(specifier.imported) ?? '' };
    case 'ImportDefaultSpecifier':
      return { kind: 'import', source, name: 'default' };
    default:
      return { kind: 'import', source, name: '*' };
  }
}

/** `const x = require('m')` and `const { x } = require('m')` are imports, too. */
function requiredModule(declarator: TSESTree.VariableDeclarator, name: string): Origin | null {
  if (!declarator.init) return null;
  const init = unwrap(declarator.init);
  const [call, member] =
    init.type === 'MemberExpression' ? [unwrap(init.object), propertyName(init)] : [init, null];
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'require')
    return null;
  const argument = call.arguments[0];
  if (argument?.type !== 'Literal' || typeof argument.value !== 'string') return null;
  if (declarator.id.type === 'Identifier')
    return { kind: 'import', source: argument.value, name: member ?? '*' };
  if (declarator.id.type !== 'ObjectPattern') return null;
  for (const property of declarator.id.properties) {
    if (property.type !== 'Property') continue;
    const target = property.value.type === 'AssignmentPattern' ? property.value.left : property.value;
    if (target.type === 'Identifier' && target.name === name) {
      return { kind: 'import', source: argument.value, name: propertyName(property) ?? '' };
    }
  }
  return null;
}

/** Writes to the fields of a class: initialisers and `this.x = …` anywhere in its body. */
type FieldWrites = Map<string, { node: Node; site: Node }[]>;
const fieldWrites = new WeakMap<ClassNode, FieldWrites>();

function writesOf(cls: ClassNode, sourceCode: SourceCode): FieldWrites {
  const known = fieldWrites.get(cls);
  if (known) return known;
  const writes: FieldWrites = new Map();
  const add = (name: string | null, node: Node | null | undefined, site: Node): void => {
    if (!name || !node) return;
    const list = writes.get(name) ?? [];
    list.push({ node, site });
    writes.set(name, list);
  };
  walk(cls.body, sourceCode.visitorKeys, (node) => {
    if (node.type === 'PropertyDefinition') add(propertyName(node), node.value, node);
    else if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      if (node.left.object.type === 'ThisExpression') add(propertyName(node.left), node.right, node);
    } else if (node.type === 'TSParameterProperty') {
      const parameter = node.parameter.type === 'AssignmentPattern' ? node.parameter.left : node.parameter;
      add(propertyName(parameter), parameter, node);
    }
    return !isClass(node);
  });
  fieldWrites.set(cls, writes);
  return writes;
}

function originOfField(sourceCode: SourceCode, cls: ClassNode, name: string): Origin {
  const writes = (writesOf(cls, sourceCode).get(name) ?? []).filter((write) => !isNothing(write.node));
  if (writes.length !== 1 || !writes[0]) return UNKNOWN;
  return { kind: 'value', ...writes[0] };
}

/** The value given to a name of an object literal held in a constant, or to a static field or an enum member. */
function originOfMember(sourceCode: SourceCode, node: TSESTree.MemberExpression): Origin {
  const name = propertyName(node);
  const object = unwrap(node.object);
  if (name === null) return UNKNOWN;
  if (object.type === 'ThisExpression') {
    const cls = classOf(node);
    return cls ? originOfField(sourceCode, cls, name) : UNKNOWN;
  }
  if (object.type !== 'Identifier') return UNKNOWN;
  const variable = variableOf(sourceCode, object);
  const def = variable?.defs[0];
  if (!variable || !def) return UNKNOWN;
  const declared = def.node as unknown as Node;
  if (isClass(declared)) return originOfField(sourceCode, declared, name);
  if ((declared.type as string) === 'TSEnumDeclaration') {
    // Parsers before version 8 have no body here.
    const { body, members: own } = declared as unknown as {
      body?: { members: EnumMember[] };
      members?: EnumMember[];
    };
    const members = body?.members ?? own ?? [];
    const member = members.find((m) => propertyName(m.id as Node) === name);
    return member?.initializer ? { kind: 'value', node: member.initializer, site: member } : UNKNOWN;
  }
  const holder = originOfVariable(variable);
  if (holder.kind !== 'value')
    return holder.kind === 'import' ? { ...holder, name: `${holder.name}.${name}` } : UNKNOWN;
  const literal = unwrap(holder.node);
  if (literal.type !== 'ObjectExpression') return UNKNOWN;
  for (const property of literal.properties) {
    if (property.type === 'Property' && propertyName(property) === name) {
      return { kind: 'value', node: property.value, site: property };
    }
  }
  return UNKNOWN;
}

/** One step back: where does this identifier or member get its value? */
export function originOf(sourceCode: SourceCode, expression: Node): Origin {
  const node = unwrap(expression);
  if (node.type === 'Identifier') {
    const variable = variableOf(sourceCode, node);
    return variable ? originOfVariable(variable) : UNKNOWN;
  }
  return node.type === 'MemberExpression' ? originOfMember(sourceCode, node) : UNKNOWN;
}

/** The expression behind names: follows origins while they are plain values. */
export function resolve(sourceCode: SourceCode, expression: Node, depth = 6): Node {
  const node = unwrap(expression);
  if (depth === 0 || (node.type !== 'Identifier' && node.type !== 'MemberExpression')) return node;
  const origin = originOf(sourceCode, node);
  if (origin.kind !== 'value' || origin.node === node) return node;
  return resolve(sourceCode, origin.node, depth - 1);
}

/** The function of this file that a call runs: a declaration, a constant, a method of the same class or object. */
export function calledFunction(sourceCode: SourceCode, callee: Node): FunctionNode | null {
  const node = unwrap(callee);
  if (node.type === 'Identifier') {
    const variable = variableOf(sourceCode, node);
    const def = variable?.defs[0];
    if (!variable || !def) return null;
    const declared = def.node as unknown as Node;
    if (isFunction(declared) && def.type === ('FunctionName' as never)) return declared;
    return asFunction(resolve(sourceCode, node));
  }
  if (node.type !== 'MemberExpression') return null;
  const name = propertyName(node);
  const object = unwrap(node.object);
  if (name === null) return null;
  if (object.type === 'ThisExpression') {
    const cls = classOf(node);
    if (cls) return methodOf(cls, name);
    return siblingInObject(node, name);
  }
  if (object.type === 'Identifier') {
    const variable = variableOf(sourceCode, object);
    const declared = variable?.defs[0]?.node as unknown as Node | undefined;
    if (declared && isClass(declared)) return methodOf(declared, name);
    const made = resolve(sourceCode, object);
    if (made.type === 'NewExpression' && made.callee.type === 'Identifier') {
      const cls = variableOf(sourceCode, made.callee)?.defs[0]?.node as unknown as Node | undefined;
      if (cls && isClass(cls)) return methodOf(cls, name);
    }
    return asFunction(resolve(sourceCode, node));
  }
  return null;
}

function asFunction(node: Node): FunctionNode | null {
  return isFunction(node) ? node : null;
}

/** A method, or a field that holds a function. */
function methodOf(cls: ClassNode, name: string): FunctionNode | null {
  for (const member of cls.body.body) {
    if (member.type !== 'MethodDefinition' && member.type !== 'PropertyDefinition') continue;
    if (propertyName(member) === name && member.value && isFunction(member.value)) return member.value;
  }
  return null;
}

function siblingInObject(node: Node, name: string): FunctionNode | null {
  for (let fn = functionOf(node); fn; fn = functionOf(fn)) {
    const object = parentOf(fn)?.parent;
    if (object?.type !== 'ObjectExpression') continue;
    for (const property of object.properties) {
      if (property.type === 'Property' && propertyName(property) === name && isFunction(property.value)) {
        return property.value;
      }
    }
  }
  return null;
}

/** The expression that a function returns, when there is exactly one. */
export function returnedExpression(sourceCode: SourceCode, fn: FunctionNode): Node | null {
  if (fn.body.type !== 'BlockStatement') return fn.body;
  const returns = returnsOf(sourceCode, fn);
  return returns.length === 1 ? (returns[0]?.argument ?? null) : null;
}

/** The `return` statements of a function itself, not of functions inside it. */
export function returnsOf(sourceCode: SourceCode, fn: FunctionNode): TSESTree.ReturnStatement[] {
  const found: TSESTree.ReturnStatement[] = [];
  if (fn.body.type !== 'BlockStatement') return found;
  walk(fn.body, sourceCode.visitorKeys, (node) => {
    if (node.type === 'ReturnStatement') found.push(node);
    return !isFunction(node) && !isClass(node);
  });
  return found;
}
