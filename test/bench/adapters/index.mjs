/** The libraries under measure, by the names of their files. */
export const RIVALS = ['redlock', 'sesamecare', 'redis-semaphore', 'redlock-universal'];
export const OURS = ['lockproof', 'lockproof-fence', 'lockproof-node-redis', 'lockproof-node-redis-fence'];
export const RAW = { ioredis5: 'raw-ioredis', redis5: 'raw-node-redis' };

export async function load(id) {
  const { default: adapter } = await import(`./${id}.mjs`);
  return { id, ...adapter };
}
