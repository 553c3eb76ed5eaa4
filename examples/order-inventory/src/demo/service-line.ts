/** Which line of the service is running, told by a stack trace with source maps. */

export interface SourceLine {
  readonly file: string;
  readonly line: number;
}

/** ioredis and the runtime stand between the service and the wire. */
const DEPTH = 50;
const SERVICE = /[\\/](src[\\/](?:before|after)[\\/][\w-]+\.ts):(\d+):\d+/;

/** The innermost line of `src/before` or `src/after` that led here; null when none did. */
export function serviceLine(): SourceLine | null {
  const usual = Error.stackTraceLimit;
  Error.stackTraceLimit = DEPTH;
  const { stack } = new Error();
  Error.stackTraceLimit = usual;
  const [, file, line] = SERVICE.exec(stack ?? '') ?? [];
  return file ? { file: file.replaceAll('\\', '/'), line: Number(line) } : null;
}
