/** The name under which users see this product: the source of each diagnostic and the prefix of each rule. */
export const LOCKPROOF = 'lockproof';
