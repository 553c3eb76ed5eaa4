import { lockproof } from './lockproof.mjs';

export default lockproof('lockproof, node-redis, fence', 'redis5', { fence: true });
