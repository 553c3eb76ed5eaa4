/** Where in the file a command stands: its functions, class and the names around it. */
import type { ClassNode, FunctionNode, Node } from '../types.js';
import { classOf, functionName, functionsAround, isFunction, parentOf, propertyName } from './ast.js';

export interface Place {
  /** The functions around, innermost first. */
  functions: readonly FunctionNode[];
  /** The functions' names, innermost first. */
  names: readonly string[];
  cls: ClassNode | null;
  /** Every name around: functions, class, the variable an object literal is put in. */
  words: string;
}

const known = new WeakMap<Node, Place>();

/** Told once for each node. */
export function placeOf(node: Node): Place {
  let place = known.get(node);
  if (!place) {
    place = tellPlace(node);
    known.set(node, place);
  }
  return place;
}

function tellPlace(node: Node): Place {
  const functions = functionsAround(node);
  const cls = classOf(node);
  const names = functions.map(functionName).filter((name) => name !== null);
  const holders = [cls?.id?.name ?? null, holderName(functions.at(-1) ?? node)].filter(
    (name) => name !== null,
  );
  return { functions, names, cls, words: [...names, ...holders].join(' ') };
}

/** The name of the object or prototype that holds a function: `const locks = { acquire() {} }`, `Lock.prototype.free = …`. */
function holderName(node: Node): string | null {
  for (let up = parentOf(node); up; up = parentOf(up)) {
    if (isFunction(up)) return null;
    if (up.type === 'VariableDeclarator') return up.id.type === 'Identifier' ? up.id.name : null;
    if (up.type === 'AssignmentExpression' && up.left.type === 'MemberExpression') {
      const object = up.left.object;
      return object.type === 'MemberExpression' ? propertyName(object.object) : propertyName(object);
    }
  }
  return null;
}

/** The innermost function that holds both places; null when only the module does. */
export function sharedFunction(a: Place, b: Place): FunctionNode | null {
  const around = new Set(a.functions);
  return b.functions.find((fn) => around.has(fn)) ?? null;
}

/** Do two places belong to one class, or both to no class? */
export const sameOwner = (a: Place, b: Place): boolean => a.cls === b.cls;
