/** The address of a server as it may be shown: without user and password. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return url.slice(url.lastIndexOf('@') + 1);
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** Says which server can't be used, and why. */
export const unusable = (what: string, url: string, cause: unknown): Error =>
  new Error(`${what} at ${withoutPassword(url)} can't be used: ${reasonOf(cause)}`, { cause });

/** A name with several addresses that all refuse gives an error without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
