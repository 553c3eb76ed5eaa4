import { judgeScript, type KeyOrigin } from '../../../eslint-plugin/dist/lua/verdict.js';

/** A script, and the verdict as `summary` writes it. */
export interface ScriptCase {
  name: string;
  lua: string;
  role: string;
  /** `COMMAND key guard`, in the order of the text. */
  effects: readonly string[];
  /** Told only where it matters. */
  answers?: boolean;
}

export function summary(lua: string): Omit<ScriptCase, 'name' | 'lua'> & { answers: boolean } {
  const verdict = judgeScript(lua);
  return {
    role: verdict.parsed ? verdict.role : 'no Lua',
    effects: verdict.effects.map((effect) => `${effect.command} ${keyText(effect.key)} ${effect.guard}`),
    answers: verdict.answers,
  };
}

function keyText(key: KeyOrigin): string {
  if (key.kind === 'KEYS') return `KEYS[${String(key.index ?? '*')}]`;
  return key.kind;
}
