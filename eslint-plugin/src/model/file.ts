/** What one file sends to Redis: its commands and scripts. Built once per file. */
import type { CallExpression, Node, SourceCode, TSESTree } from '../types.js';
import { walk } from './ast.js';
import { readCommand, type CommandSettings, type RedisCommand } from './commands.js';
import { collectScripts, type ScriptTable } from './scripts.js';

export interface FileFacts {
  sourceCode: SourceCode;
  calls: readonly CallExpression[];
  scripts: ScriptTable;
  commands: readonly RedisCommand[];
  commandOf: ReadonlyMap<Node, RedisCommand>;
}

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
  return { sourceCode, calls, scripts, commands, commandOf };
}
