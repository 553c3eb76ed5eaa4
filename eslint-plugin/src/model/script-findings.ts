/** Lock scripts of this file that act on a key without comparing its owner. */
import { lockFindings, type LockContext } from '../lua/findings.js';
import type { Effect } from '../lua/verdict.js';
import type { Node, SourceCode, TSESTree } from '../types.js';
import type { RedisCommand } from './commands.js';
import type { Model } from './index.js';
import { keyFrom } from './keys.js';
import { hasLockWord, isForcedName } from './names.js';
import { placeOf } from './place.js';
import { verdictOf, type ScriptSource } from './scripts.js';

export interface ScriptFinding {
  node: Node;
  loc: TSESTree.SourceLocation;
  effect: Effect;
  command: RedisCommand;
  /** What the acquire of the same key stores. */
  stored: Node | null;
  /** Does the script do nothing else to keys? */
  isAlone: boolean;
}

export function unguardedEffects(model: Model): ScriptFinding[] {
  const seen = new Set<string>();
  return model.file.commands.flatMap((command) => {
    if (command.op !== 'script' || !command.script) return [];
    const { script } = command;
    const verdict = verdictOf(script);
    const isAlone = verdict.effects.length === 1 && verdict.acquisitions.length === 0;
    return lockFindings(verdict, contextOf(model, command)).flatMap((effect) => {
      const id = `${String(script.node.range[0])}:${String(effect.range[0])}`;
      if (seen.has(id)) return [];
      seen.add(id);
      return [
        {
          effect,
          command,
          stored: acquireOn(model, command)?.value ?? null,
          isAlone,
          ...placeInText(model.file.sourceCode, script, effect.range),
        },
      ];
    });
  });
}

/** Another command of this file that takes the key of a script as a lock. */
function acquireOn({ file }: Model, { call, keys }: RedisCommand): RedisCommand | null {
  const onKeys = keys.flatMap((key) => file.commandsOn(keyFrom(file.sourceCode, key)));
  return onKeys.find((other) => other.call !== call && other.options.nx) ?? null;
}

/** What the keys and the names around a call say. A key that another call takes as a lock speaks of one, too. */
function contextOf(model: Model, command: RedisCommand): LockContext {
  const { sourceCode } = model.file;
  const place = placeOf(command.call);
  const words = `${command.keys.map((key) => keyFrom(sourceCode, key).words).join(' ')} ${place.words}`;
  const linked = acquireOn(model, command) !== null;
  return {
    speaksOfLock: hasLockWord(words),
    namesAct: linked && !place.names.some(isForcedName),
    isLockWord: hasLockWord,
  };
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
