/** What the service sent to Redis, as lines to read. */
import { hashToken } from 'lockproof';
import type { Exchange } from './recorded-redis.js';
import type { SourceLine } from './service-line.js';

export interface Call {
  readonly who: string;
  /** The command with its arguments: scripts and hashes shortened, tokens hashed. */
  readonly text: string;
  readonly reply: unknown;
  readonly from: SourceLine | null;
  readonly sentAt: number;
}

/** A script that the server did not know is sent again as text: the line that led to it is that of the first try. */
export function callsOf(exchanges: readonly Exchange[]): Call[] {
  const refused = new Map<string, SourceLine | null>();
  return exchanges.flatMap(({ who, reply, sentAt, ...exchange }) => {
    const from = exchange.from ?? refused.get(who) ?? null;
    refused.delete(who);
    if (reply instanceof Error) {
      refused.set(who, from);
      return [];
    }
    return [{ who, text: textOf(exchange), reply, from, sentAt }];
  });
}

function textOf({ command, args }: Pick<Exchange, 'command' | 'args'>): string {
  if (command !== 'EVALSHA' && command !== 'EVAL') return [command, ...args].join(' ');
  // The runtime's scripts: one key, then the token.
  const [script = '', keys = '', key = '', token = '', ...rest] = args;
  const shown = command === 'EVALSHA' ? `${script.slice(0, 7)}…` : '<script>';
  return [command, shown, keys, key, hidden(token), ...rest].join(' ');
}

/** A token as it may be logged. */
export const hidden = (token: string): string => `#${hashToken(token)}`;
