// Runs measurements in processes of their own, and takes the middle of them.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a script of this folder prints. */
export async function measured(script, args) {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, script), ...args]);
  return JSON.parse(stdout);
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** What the rules of `recommended` may cost, as a part of the parse time. */
export const LIMIT = 0.08;

export const ruleRatio = ({ rulesMs, parseMs }) => rulesMs / parseMs;
