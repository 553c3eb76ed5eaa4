/** The Lua text that reaches eval, evalsha, defineCommand, defineScript, `new Script`. */
import { judgeScript, type KeyOrigin, type ScriptVerdict } from '../lua/verdict.js';
import type { CallExpression, Node, SourceCode, TSESTree } from '../types.js';
import { calleeName, objectProperty, propertyName, stringValue, unwrap } from './ast.js';
import { resolve } from './values.js';

export interface ScriptSource {
  /** The Lua text; what JavaScript fills in at run time stands as `__js_0__`, `__js_1__` … */
  text: string;
  /** The expression that holds the text. */
  node: Node;
}

export interface CustomCommand {
  script: ScriptSource | null;
  /** numberOfKeys; null where each call gives it. */
  keys: number | null;
}

/** The commands that this file registers on its clients, by name. */
export type ScriptTable = ReadonlyMap<string, CustomCommand>;

const LOADERS = new Set(['scriptLoad', 'script', 'createScript', 'defineScript', 'loadScript', 'load']);

/** Follows an expression to the Lua text behind it, through constants, fields and script loading. */
export function scriptOf(
  sourceCode: SourceCode,
  expression: Node,
  scripts?: ScriptTable,
  depth = 6,
): ScriptSource | null {
  if (depth === 0) return null;
  const node = resolve(sourceCode, expression);
  const text = luaText(sourceCode, node);
  if (text !== null) return { text, node };
  if (
    node.type === 'NewExpression' ||
    (node.type === 'CallExpression' && LOADERS.has(calleeName(node) ?? ''))
  ) {
    for (const argument of node.arguments) {
      const inner = unwrap(argument);
      if (inner.type === 'ObjectExpression') {
        const held = objectProperty(inner, 'SCRIPT') ?? objectProperty(inner, 'lua');
        if (held) return scriptOf(sourceCode, held.value, scripts, depth - 1);
      }
      const found =
        stringValue(inner)?.toLowerCase() === 'load' ? null : scriptOf(sourceCode, inner, scripts, depth - 1);
      if (found) return found;
    }
  }
  return null;
}

/** The text of a string expression, holes as identifiers; null when it is no string. */
function luaText(sourceCode: SourceCode, node: Node): string | null {
  const holes = { count: 0 };
  return textOf(sourceCode, node, holes);
}

function textOf(sourceCode: SourceCode, expression: Node, holes: { count: number }): string | null {
  const node = unwrap(expression);
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    case 'TaggedTemplateExpression':
      return textOf(sourceCode, node.quasi, holes);
    case 'TemplateLiteral':
      return node.quasis
        .map((quasi, i) => {
          const hole = node.expressions[i];
          return (quasi.value.cooked ?? quasi.value.raw) + (hole ? holeText(sourceCode, hole, holes) : '');
        })
        .join('');
    case 'BinaryExpression':
      return node.operator === '+' ? concatenated(sourceCode, node, holes) : null;
    case 'CallExpression':
      return joined(sourceCode, node, holes);
    default:
      return null;
  }
}

const hole = (holes: { count: number }): string => `__js_${String(holes.count++)}__`;

function holeText(sourceCode: SourceCode, expression: Node, holes: { count: number }): string {
  return textOf(sourceCode, resolve(sourceCode, expression), holes) ?? hole(holes);
}

function concatenated(
  sourceCode: SourceCode,
  node: TSESTree.BinaryExpression,
  holes: { count: number },
): string | null {
  const left = textOf(sourceCode, resolve(sourceCode, node.left), holes);
  const right = textOf(sourceCode, resolve(sourceCode, node.right), holes);
  if (left === null && right === null) return null;
  return (left ?? hole(holes)) + (right ?? hole(holes));
}

/** `['…', '…'].join('\n')`, and `.trim()` and the like on a text. */
function joined(sourceCode: SourceCode, call: CallExpression, holes: { count: number }): string | null {
  const callee = unwrap(call.callee);
  if (callee.type !== 'MemberExpression') return null;
  const name = propertyName(callee);
  const object = resolve(sourceCode, callee.object);
  if (name === 'trim' || name === 'toString' || name === 'replace' || name === 'replaceAll') {
    return textOf(sourceCode, object, holes);
  }
  if (name !== 'join' || object.type !== 'ArrayExpression') return null;
  const glue = call.arguments[0] ? (stringValue(call.arguments[0]) ?? '\n') : ',';
  return object.elements
    .map((element) =>
      element ? (textOf(sourceCode, resolve(sourceCode, element), holes) ?? hole(holes)) : '',
    )
    .join(glue);
}

/** Collects `defineCommand('name', { numberOfKeys, lua })` and `{ scripts: { name: … } }` of client options. */
export function collectScripts(
  sourceCode: SourceCode,
  calls: readonly (CallExpression | TSESTree.NewExpression)[],
): ScriptTable {
  const table = new Map<string, CustomCommand>();
  for (const call of calls) {
    if (call.type === 'CallExpression' && calleeName(call) === 'defineCommand') {
      const name = stringValue(call.arguments[0] && resolve(sourceCode, call.arguments[0]));
      const options = call.arguments[1] && resolve(sourceCode, call.arguments[1]);
      if (name && options?.type === 'ObjectExpression') table.set(name, customFrom(sourceCode, options));
      continue;
    }
    const options = call.arguments[0] && unwrap(call.arguments[0]);
    const scripts =
      options?.type === 'ObjectExpression' ? objectProperty(options, 'scripts')?.value : undefined;
    const object = scripts && resolve(sourceCode, scripts);
    if (object?.type !== 'ObjectExpression') continue;
    for (const property of object.properties) {
      const name = property.type === 'Property' ? propertyName(property) : null;
      if (property.type !== 'Property' || !name) continue;
      const made = resolve(sourceCode, property.value);
      const held = made.type === 'CallExpression' && made.arguments[0] ? unwrap(made.arguments[0]) : made;
      if (held.type === 'ObjectExpression') table.set(name, customFrom(sourceCode, held));
    }
  }
  return table;
}

function customFrom(sourceCode: SourceCode, options: TSESTree.ObjectExpression): CustomCommand {
  const lua = objectProperty(options, 'lua') ?? objectProperty(options, 'SCRIPT');
  const count = objectProperty(options, 'numberOfKeys') ?? objectProperty(options, 'NUMBER_OF_KEYS');
  const keys =
    count?.value.type === 'Literal' && typeof count.value.value === 'number' ? count.value.value : null;
  return { script: lua ? scriptOf(sourceCode, lua.value) : null, keys };
}

export const customScript = (scripts: ScriptTable, method: string): CustomCommand | null =>
  scripts.get(method) ?? null;

const verdicts = new Map<string, ScriptVerdict>();
const REMEMBERED = 200;

/** The verdict on a script, remembered by its text. */
export function verdictOf(script: ScriptSource): ScriptVerdict {
  let verdict = verdicts.get(script.text);
  if (!verdict) {
    if (verdicts.size >= REMEMBERED) verdicts.clear();
    verdict = judgeScript(script.text);
    verdicts.set(script.text, verdict);
  }
  return verdict;
}

/** The arguments that a script's keys stand for: those of KEYS that it names; all of them where it can't be told. */
export function keysOf(keys: readonly Node[], origins: readonly KeyOrigin[]): Node[] {
  const chosen = new Set<Node>();
  for (const origin of origins) {
    const key =
      origin.kind === 'KEYS' && typeof origin.index === 'number' ? keys[origin.index - 1] : undefined;
    if (!key) return [...keys];
    chosen.add(key);
  }
  return [...chosen];
}
