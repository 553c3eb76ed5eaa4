import Redlock from 'redlock';
import { redlockLike } from '../lib/redlock-like.mjs';

export default redlockLike('redlock 5', 'redlock', Redlock);
