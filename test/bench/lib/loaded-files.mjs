/** Module hooks that tell which files an import loads; see runtime-once.mjs. */
let port;

export function initialize(data) {
  port = data.port;
}

export async function load(url, context, next) {
  if (url.startsWith('file:')) port.postMessage(url);
  return next(url, context);
}
