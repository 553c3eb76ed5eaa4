import { Redlock } from '@sesamecare-oss/redlock';
import { redlockLike } from '../lib/redlock-like.mjs';

export default redlockLike('@sesamecare-oss', '@sesamecare-oss/redlock', Redlock);
