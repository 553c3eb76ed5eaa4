/** Lock scripts of this file that act on a key without comparing its owner. */
import type { Effect } from '../lua/verdict.js';
import type { Node, SourceCode, TSESTree } from '../types.js';
import type { RedisCommand } from './commands.js';
import type { Model } from './index.js';
import { keyOf } from './keys.js';
import { hasLockWord } from './names.js';
import { placeOf } from './place.js';
import { verdictOf, type ScriptSource } from './scripts.js';

export interface ScriptFinding {
  node: Node;
  loc: TSESTree.SourceLocation;
  command: string;
  key: string;
  effect: 'deletes' | 'extends' | 'overwrites';
}

export function unguardedEffects(model: Model): ScriptFinding[] {
  const seen = new Set<string>();
  return model.file.commands.flatMap((command) => {
    if (command.op !== 'script' || !command.script) return [];
    const { script } = command;
    return effectsOf(model, command, script).flatMap((effect) => {
      const id = `${String(script.node.range[0])}:${String(effect.range[0])}`;
      if (seen.has(id)) return [];
      seen.add(id);
      return [findingOf(model.file.sourceCode, script, effect)];
    });
  });
}

/** The effects that are surely unguarded, in a script that is surely one of a lock. */
function effectsOf(model: Model, command: RedisCommand, script: ScriptSource): readonly Effect[] {
  const verdict = verdictOf(script);
  const unguarded = verdict.effects.filter((effect) => effect.guard === 'unguarded' && isOnKey(effect));
  if (unguarded.length === 0) return [];
  const taken = verdict.acquisitions.map((acquisition) => JSON.stringify(acquisition.key));
  const onTaken = unguarded.filter((effect) => taken.includes(JSON.stringify(effect.key)));
  if (onTaken.length > 0)
    return onTaken.filter((effect) => speaksOfLock(model, command) || effect.command.includes('EXPIRE'));
  const linked = model.locks.some(
    (lock) => lock.acquire.command !== command && sharesKey(model, lock.acquire.keyNode, command),
  );
  return linked && speaksOfLock(model, command) ? unguarded : [];
}

const isOnKey = (effect: Effect): boolean =>
  effect.key.kind === 'KEYS' && /DEL|UNLINK|EXPIRE|SET/.test(effect.command);

function speaksOfLock(model: Model, command: RedisCommand): boolean {
  const words = command.keys.map((key) => keyOf(model.file.sourceCode, key).words).join(' ');
  return hasLockWord(`${words} ${placeOf(command.call).words}`);
}

function sharesKey(model: Model, keyNode: Node, command: RedisCommand): boolean {
  const { sourceCode } = model.file;
  const shape = keyOf(sourceCode, keyNode).shape;
  return command.keys.some((key) => keyOf(sourceCode, key).shape === shape);
}

function findingOf(sourceCode: SourceCode, script: ScriptSource, effect: Effect): ScriptFinding {
  const { node, loc } = placeInText(sourceCode, script, effect.range);
  const key = effect.key.kind === 'KEYS' ? `KEYS[${String(effect.key.index ?? 'i')}]` : 'its key';
  const what = /DEL|UNLINK/.test(effect.command)
    ? 'deletes'
    : effect.command.includes('EXPIRE')
      ? 'extends'
      : 'overwrites';
  return { node, loc, command: effect.command, key, effect: what };
}

/** The place of a range of the script in the JavaScript text, where the text stands there as it is; else the whole string. */
function placeInText(
  sourceCode: SourceCode,
  script: ScriptSource,
  range: readonly [number, number],
): { node: Node; loc: TSESTree.SourceLocation } {
  const { node, text } = script;
  const start = node.range[0] + 1;
  const verbatim = sourceCode.text.slice(start, start + text.length) === text;
  if (!verbatim) return { node, loc: node.loc };
  return {
    node,
    loc: {
      start: sourceCode.getLocFromIndex(start + range[0]),
      end: sourceCode.getLocFromIndex(start + range[1]),
    },
  };
}
