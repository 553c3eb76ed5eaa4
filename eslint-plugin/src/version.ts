/** The package's name and version; a test compares them with package.json, which bundles cannot read. */
export const NAME = 'eslint-plugin-lockproof';
export const VERSION = '0.1.0';
