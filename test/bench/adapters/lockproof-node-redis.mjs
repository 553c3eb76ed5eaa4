import { lockproof } from './lockproof.mjs';

export default lockproof('lockproof, node-redis', 'redis5');
