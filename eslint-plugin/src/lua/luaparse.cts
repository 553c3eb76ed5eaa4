/**
 * The door to luaparse, opened at the first script. CommonJS on purpose: an ESM import of that file costs every
 * user about 14 ms (Node scans its 80 kB for export names), a `require` about 4 ms, and only where Lua is met.
 */
type Luaparse = typeof import('luaparse');

const load = (): Luaparse => require('luaparse') as Luaparse;

// @ts-expect-error -- the one way to export from CommonJS; `erasableSyntaxOnly` has no exception for .cts files.
export = { load };
