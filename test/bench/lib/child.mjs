import { fork } from 'node:child_process';
import { clock } from './clock.mjs';

/**
 * Starts a module of this folder in a process of its own and answers what it asks.
 *
 * @param answers what to do for each question; a question is sent by `ask` of the child
 * @returns the process, and its end: `{ code, signal, at }`
 */
export function startChild(path, args, answers, execArgv = []) {
  const child = fork(path, args, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.on('message', async ({ id, question, value }) => {
    const answer = await answers[question](value);
    if (child.connected && id !== undefined) child.send({ id, answer }, () => undefined);
  });
  const ended = new Promise((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal, at: clock() })),
  );
  return { child, ended };
}

let asked = 0;

/** In the child: asks the parent and waits for its answer. */
export function ask(question, value) {
  const id = asked++;
  return new Promise((resolve) => {
    const listener = (message) => {
      if (message.id !== id) return;
      process.off('message', listener);
      resolve(message.answer);
    };
    process.on('message', listener);
    process.send({ id, question, value });
  });
}

/** In the child: tells the parent, who does not answer. */
export const tell = (question, value) => new Promise((resolve) => process.send({ question, value }, resolve));
