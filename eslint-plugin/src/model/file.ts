/** What one file sends to Redis: its commands and scripts. Built once per file. */
import type { CallExpression, Node, SourceCode, TSESTree } from '../types.js';
import { calleeName, walk } from './ast.js';
import { readCommand, type CommandSettings, type RedisCommand } from './commands.js';
import { isTelling, keyFrom, type Key } from './keys.js';
import { collectScripts, type ScriptTable } from './scripts.js';

export interface FileFacts {
  sourceCode: SourceCode;
  calls: readonly CallExpression[];
  scripts: ScriptTable;
  commands: readonly RedisCommand[];
  commandOf: ReadonlyMap<Node, RedisCommand>;
  /** The WATCH commands. */
  watches: readonly RedisCommand[];
  /** The commands on a key: on the very same one, and on keys of the same telling shape. */
  commandsOn: (key: Key) => readonly RedisCommand[];
  /** The calls of a function or method by its name. */
  callsNamed: (name: string) => readonly CallExpression[];
}

/** Groups items by what `keysOf` answers for them. */
function groupBy<T>(items: Iterable<T>, keysOf: (item: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    for (const key of new Set(keysOf(item))) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

const EXACT = 'exact ';
const SHAPE = 'shape ';
const indexKeys = (key: Key): string[] =>
  isTelling(key) ? [EXACT + key.exact, SHAPE + key.shape] : [EXACT + key.exact];

export function readFile(sourceCode: SourceCode, settings: CommandSettings): FileFacts {
  const calls: CallExpression[] = [];
  const news: TSESTree.NewExpression[] = [];
  walk(sourceCode.ast, sourceCode.visitorKeys, (node) => {
    if (node.type === 'CallExpression') calls.push(node);
    else if (node.type === 'NewExpression') news.push(node);
    return undefined;
  });
  const scripts = collectScripts(sourceCode, [...calls, ...news]);
  const commands: RedisCommand[] = [];
  const commandOf = new Map<Node, RedisCommand>();
  for (const call of calls) {
    const command = readCommand(sourceCode, call, scripts, settings);
    if (!command) continue;
    commands.push(command);
    commandOf.set(call, command);
  }
  const byKey = groupBy(commands, (command) =>
    command.keys.flatMap((key) => indexKeys(keyFrom(sourceCode, key))),
  );
  const byName = groupBy(calls, (call) => [calleeName(call) ?? '']);
  return {
    sourceCode,
    calls,
    scripts,
    commands,
    commandOf,
    watches: commands.filter(({ op }) => op === 'watch'),
    commandsOn: (key) => [...new Set(indexKeys(key).flatMap((index) => byKey.get(index) ?? []))],
    callsNamed: (name) => byName.get(name) ?? [],
  };
}
