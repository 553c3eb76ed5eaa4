/** All that the runtime asks of a client: to run a script. Nothing is defined on the user's object. */
export interface RedisAdapter {
  /** The library, as messages name it. */
  readonly library: string;
  /** Was the client closed, or never connected, so that no command can be sent? */
  isClosed(): boolean;
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
  evalSha(sha: string, keys: string[], args: string[]): Promise<unknown>;
}
