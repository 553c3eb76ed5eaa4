import { Redis } from 'ioredis';
import { createClient } from 'redis';

/**
 * Connects a client with its own defaults and waits until it is ready.
 *
 * @param kind `ioredis5` or `redis5`, as adapters name their client
 * @returns the client, a way to hear of each further `ready`, and one to end the connection at once
 */
export async function connect(kind, port) {
  const client =
    kind === 'ioredis5'
      ? new Redis({ host: '127.0.0.1', port })
      : createClient({ socket: { host: '127.0.0.1', port } });
  client.on('error', () => undefined);
  if (kind === 'ioredis5') await new Promise((resolve) => client.once('ready', resolve));
  else await client.connect();
  return { client, close: () => (kind === 'ioredis5' ? client.disconnect() : client.destroy()) };
}
