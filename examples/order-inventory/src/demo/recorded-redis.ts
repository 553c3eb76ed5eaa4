/** An ioredis client that keeps what the service sent to Redis, from which line, and what Redis answered. */
import { Redis, type RedisOptions } from 'ioredis';
import { serviceLine, type SourceLine } from './service-line.js';

export interface Exchange {
  /** The request that sent it. */
  readonly who: string;
  /** In capitals, as in the Redis documentation. */
  readonly command: string;
  /** As the service gave them, without the key prefix. */
  readonly args: readonly string[];
  readonly keys: readonly string[];
  /** Null when no line of the service led to it directly. */
  readonly from: SourceLine | null;
  /** On the clock of `performance.now()`. */
  readonly sentAt: number;
  /** What Redis answered: an `Error` when it refused, undefined until then. */
  reply: unknown;
}

type Command = Parameters<Redis['sendCommand']>[0];
type Stream = Parameters<Redis['sendCommand']>[1];

export class RecordedRedis extends Redis {
  readonly #who: string;
  readonly #log: Exchange[];
  readonly #prefix: string;

  /**
   * @param options as for `Redis`; connect before the first command, since a queued one is sent, and recorded, twice
   * @param log gets every command that names a key, in the order of sending
   */
  constructor(url: string, options: RedisOptions & { keyPrefix: string }, who: string, log: Exchange[]) {
    super(url, options);
    this.#who = who;
    this.#log = log;
    this.#prefix = options.keyPrefix;
  }

  override sendCommand(command: Command, stream?: Stream): unknown {
    const keys = command.getKeys().map(String);
    if (keys.length > 0) this.#record(command, keys);
    return super.sendCommand(command, stream);
  }

  #record(command: Command, keys: readonly string[]): void {
    const plain = (text: string): string => (keys.includes(text) ? text.slice(this.#prefix.length) : text);
    const exchange: Exchange = {
      who: this.#who,
      command: command.name.toUpperCase(),
      args: command.args.map((argument) => plain(String(argument))),
      keys: keys.map(plain),
      from: serviceLine(),
      sentAt: performance.now(),
      reply: undefined,
    };
    this.#log.push(exchange);
    const answered = (reply: unknown): void => {
      exchange.reply = reply;
    };
    command.promise.then(answered, answered);
  }
}
