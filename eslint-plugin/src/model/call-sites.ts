/** Acquires one hop away: a function whose parameter becomes the stored value is judged where it is called. */
import type { CallExpression, Node } from '../types.js';
import type { Acquire } from './acts.js';
import { functionName, unwrap } from './ast.js';
import type { FileFacts } from './file.js';
import { calledFunction, originOf } from './values.js';

export interface CallSite {
  call: CallExpression;
  /** What the caller hands in as the value to store. */
  value: Node;
  /** What the caller hands in otherwise: parts of the key among it. */
  others: Node[];
}

/** The calls, in this file, of the function whose own parameter the acquire stores. */
export function callSitesOf(file: FileFacts, acquire: Acquire): CallSite[] {
  const value = acquire.value && unwrap(acquire.value);
  if (value?.type !== 'Identifier') return [];
  const origin = originOf(file.sourceCode, value);
  if (origin.kind !== 'parameter' || origin.fallback) return [];
  const index = origin.fn.params.findIndex((parameter) => parameter === origin.variable.defs[0]?.name);
  if (index < 0) return [];
  const name = functionName(origin.fn);
  return (name ? file.callsNamed(name) : []).flatMap((call) => {
    const given = call.arguments[index];
    if (
      !given ||
      given.type === 'SpreadElement' ||
      calledFunction(file.sourceCode, call.callee) !== origin.fn
    )
      return [];
    return [{ call, value: given, others: call.arguments.filter((argument) => argument !== given) }];
  });
}
