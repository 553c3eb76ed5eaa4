/** Running other programs, and talking about it. */
import { spawnSync } from 'node:child_process';

/** Prints a line to the user, apart from what a script answers on standard output. */
export function say(line) {
  process.stderr.write(`[setup] ${line}\n`);
}

/**
 * Runs a program to its end.
 * @returns {string} what it printed
 * @throws with everything it printed when it fails
 */
export function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...options,
  });
  if (status === 0) return stdout;
  throw new Error(
    `${command} ${args.join(' ')} failed: ${error?.message ?? `exit code ${status}\n${stdout}${stderr}`}`,
  );
}
