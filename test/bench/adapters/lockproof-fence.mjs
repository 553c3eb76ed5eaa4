import { lockproof } from './lockproof.mjs';

export default lockproof('lockproof, fence', 'ioredis5', { fence: true });
