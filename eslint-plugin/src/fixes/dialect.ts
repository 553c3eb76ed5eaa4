/** Spells the options of a SET for the library that gets them. */
import type { RedisCommand } from '../model/commands.js';
import type { Mismatch } from '../model/dialects.js';
import type { SourceCode } from '../types.js';
import { dropsComment, type Repair } from './repair.js';

export function respell(sourceCode: SourceCode, command: RedisCommand, mismatch: Mismatch): Repair | null {
  const { ttl, get, xx } = command.options;
  const [, value, first] = command.call.arguments;
  const last = command.call.arguments.at(-1);
  if (!mismatch.right || !ttl || ttl.unit === 'unix' || get || xx || !value || !first || !last) return null;
  const amount = sourceCode.getText(ttl.node);
  const unit = ttl.unit === 's' ? 'EX' : 'PX';
  const text =
    mismatch.right === 'positional'
      ? `'${unit}', ${amount}, 'NX'`
      : mismatch.right === 'upper'
        ? `{ NX: true, ${unit}: ${amount} }`
        : `{ nx: true, ${unit.toLowerCase()}: ${amount} }`;
  const range = [first.range[0], last.range[1]] as const;
  if (dropsComment(sourceCode, range)) return null;
  return {
    edits: [{ range, text }],
    safe: true,
    runtimeFound: true,
    title: 'otherSpelling',
    data: { library: mismatch.library },
  };
}

/** `del(a, b)` -> `del([a, b])`: it then deletes more than before, so a person decides. */
export function inArray(sourceCode: SourceCode, command: RedisCommand): Repair | null {
  const first = command.call.arguments[0];
  const last = command.call.arguments.at(-1);
  if (!first || !last) return null;
  const range = [first.range[0], last.range[1]] as const;
  const text = `[${sourceCode.text.slice(...range)}]`;
  return { edits: [{ range, text }], safe: false, runtimeFound: true, title: 'keysInArray', data: {} };
}
