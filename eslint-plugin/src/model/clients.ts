/** Which expressions are Redis clients, and of which library. Three-valued: a library, `false` (surely none), `null` (can't tell). */
import type { Node, SourceCode, TSESTree } from '../types.js';
import { calleeName, classOf, isClass, parentOf, propertyName, unwrap } from './ast.js';
import { declaredLibrary } from './types.js';
import { libraryOfPackage, NOT_REDIS, NOT_REDIS_NAMES, type Library } from './libraries.js';
import { calledFunction, originOf, returnedExpression, variableOf } from './values.js';

export type Client = Library | false | null;

/** Methods of a client that answer a client. */
const SAME_CLIENT = new Set([
  'duplicate',
  'connect',
  'withTypeMapping',
  'withCommandOptions',
  'on',
  'legacy',
  'getClient',
]);
const MAX_DEPTH = 6;

/** The client library behind a receiver: by syntax, else by the types where the parser has them. */
export function clientOf(sourceCode: SourceCode, receiver: Node): Client {
  const seen = clientBySyntax(sourceCode, receiver, MAX_DEPTH);
  return seen ?? declaredLibrary(sourceCode, receiver);
}

function clientBySyntax(sourceCode: SourceCode, receiver: Node, depth: number): Client {
  if (depth === 0) return null;
  const node = unwrap(receiver);
  switch (node.type) {
    case 'Identifier':
      if (NOT_REDIS_NAMES.has(node.name)) return false;
      return clientOfName(sourceCode, node, depth);
    case 'MemberExpression':
      return clientOfName(sourceCode, node, depth);
    case 'NewExpression':
      return clientOfClass(sourceCode, node.callee);
    case 'CallExpression':
      return clientOfCall(sourceCode, node, depth);
    case 'LogicalExpression':
      return (
        clientBySyntax(sourceCode, node.right, depth - 1) ?? clientBySyntax(sourceCode, node.left, depth - 1)
      );
    case 'AssignmentExpression':
      return clientBySyntax(sourceCode, node.right, depth - 1);
    default:
      return null;
  }
}

function clientOfName(
  sourceCode: SourceCode,
  node: TSESTree.Identifier | TSESTree.MemberExpression,
  depth: number,
): Client {
  const annotated = clientOfAnnotation(sourceCode, annotationOf(sourceCode, node));
  if (annotated !== null) return annotated;
  const origin = originOf(sourceCode, node);
  if (origin.kind === 'import') return importedClient(origin.source, origin.name);
  if (origin.kind === 'parameter')
    return origin.fallback ? clientBySyntax(sourceCode, origin.fallback, depth - 1) : null;
  if (origin.kind !== 'value' || origin.node === node) return null;
  if (origin.node.type === 'Identifier' && parentOf(origin.node)?.type === 'TSParameterProperty') {
    return clientOfAnnotation(sourceCode, origin.node.typeAnnotation?.typeAnnotation ?? null);
  }
  return clientBySyntax(sourceCode, origin.node, depth - 1);
}

/** Ready clients that a package exports. */
const importedClient = (source: string, name: string): Client =>
  (source === '@vercel/kv' && name === 'kv') || (source === 'bun' && name === 'redis')
    ? libraryOfPackage(source)
    : null;

function clientOfClass(sourceCode: SourceCode, callee: Node): Client {
  const node = unwrap(callee);
  if (node.type === 'Identifier') {
    const origin = originOf(sourceCode, node);
    if (origin.kind === 'import') {
      const library = libraryOfPackage(origin.source);
      if (library) return library;
    }
    const declared = variableOf(sourceCode, node)?.defs[0]?.node as unknown as Node | undefined;
    if (declared && isClass(declared) && declared.superClass)
      return clientOfClass(sourceCode, declared.superClass);
    return NOT_REDIS.has(node.name) ? false : null;
  }
  if (node.type === 'MemberExpression') {
    const name = propertyName(node);
    if (name && NOT_REDIS.has(name)) return false;
    return clientOfClass(sourceCode, node.object);
  }
  return null;
}

function clientOfCall(sourceCode: SourceCode, call: TSESTree.CallExpression, depth: number): Client {
  const callee = unwrap(call.callee);
  const name = calleeName(call);
  if (callee.type === 'Identifier') {
    const origin = originOf(sourceCode, callee);
    if (origin.kind === 'import') return libraryOfPackage(origin.source);
    const fn = calledFunction(sourceCode, callee);
    const returned = fn && returnedExpression(sourceCode, fn);
    return returned ? clientBySyntax(sourceCode, returned, depth - 1) : null;
  }
  if (callee.type !== 'MemberExpression' || !name) return null;
  if (SAME_CLIENT.has(name)) {
    const same = clientBySyntax(sourceCode, callee.object, depth - 1);
    if (same !== null) return same;
  }
  const object = unwrap(callee.object);
  if (object.type === 'Identifier') {
    const origin = originOf(sourceCode, object);
    if (origin.kind === 'import') {
      const library = libraryOfPackage(origin.source);
      if (library && /^(?:create|from)/.test(name)) return library;
    }
  }
  const fn = calledFunction(sourceCode, callee);
  const returned = fn && returnedExpression(sourceCode, fn);
  return returned ? clientBySyntax(sourceCode, returned, depth - 1) : null;
}

/** The type annotation of a variable, parameter or class field. */
function annotationOf(sourceCode: SourceCode, node: Node): TSESTree.TypeNode | null {
  if (node.type === 'Identifier') {
    const name = variableOf(sourceCode, node)?.defs[0]?.name as Node | undefined;
    return name?.type === 'Identifier' ? (name.typeAnnotation?.typeAnnotation ?? null) : null;
  }
  if (node.type !== 'MemberExpression' || unwrap(node.object).type !== 'ThisExpression') return null;
  const cls = classOf(node);
  const name = propertyName(node);
  for (const member of cls?.body.body ?? []) {
    if (member.type === 'PropertyDefinition' && propertyName(member) === name) {
      return member.typeAnnotation?.typeAnnotation ?? null;
    }
  }
  return null;
}

function clientOfAnnotation(sourceCode: SourceCode, type: TSESTree.TypeNode | null): Client {
  if (!type) return null;
  switch (type.type as string) {
    case 'TSUnionType':
    case 'TSIntersectionType': {
      for (const part of (type as TSESTree.TSUnionType).types) {
        const client = clientOfAnnotation(sourceCode, part);
        if (client !== null) return client;
      }
      return null;
    }
    case 'TSTypeReference':
      return clientOfTypeName(sourceCode, type as TSESTree.TSTypeReference);
    default:
      return null;
  }
}

function clientOfTypeName(sourceCode: SourceCode, type: TSESTree.TSTypeReference): Client {
  let name: Node = type.typeName;
  while ((name.type as string) === 'TSQualifiedName')
    name = (name as unknown as TSESTree.TSQualifiedName).left;
  if (name.type !== 'Identifier') return null;
  if (NOT_REDIS.has(name.name)) return false;
  const argument = type.typeArguments?.params[0];
  if (
    argument &&
    ['ReturnType', 'Awaited', 'Promise', 'Readonly', 'NonNullable', 'Partial'].includes(name.name)
  ) {
    if ((argument.type as string) === 'TSTypeQuery')
      return clientOfQuery(sourceCode, argument as TSESTree.TSTypeQuery);
    return clientOfAnnotation(sourceCode, argument);
  }
  const origin = originOf(sourceCode, name);
  if (origin.kind === 'import') return libraryOfPackage(origin.source);
  const alias = variableOf(sourceCode, name)?.defs[0]?.node as unknown as Node | undefined;
  return (alias?.type as string) === 'TSTypeAliasDeclaration'
    ? clientOfAnnotation(sourceCode, (alias as TSESTree.TSTypeAliasDeclaration).typeAnnotation)
    : null;
}

function clientOfQuery(sourceCode: SourceCode, query: TSESTree.TSTypeQuery): Client {
  const name = query.exprName as Node;
  if (name.type !== 'Identifier') return null;
  const origin = originOf(sourceCode, name);
  return origin.kind === 'import'
    ? libraryOfPackage(origin.source)
    : clientBySyntax(sourceCode, name, MAX_DEPTH - 2);
}
