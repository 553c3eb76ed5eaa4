/** The door to ESLint's kit for languages, opened at the first `.lua` file: ESLint 8 and oxlint never load it. */
type PluginKit = typeof import('@eslint/plugin-kit');

const load = (): PluginKit => require('@eslint/plugin-kit') as PluginKit;

// @ts-expect-error -- the one way to export from CommonJS; `erasableSyntaxOnly` has no exception for .cts files.
export = { load };
