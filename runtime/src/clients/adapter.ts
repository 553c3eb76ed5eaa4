/** All that the runtime asks of a client: to run a script. Nothing is defined on the user's object. */
export interface RedisAdapter {
  /** The library, as messages name it. */
  readonly library: string;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
  evalSha(sha: string, keys: string[], args: string[]): Promise<unknown>;
}
