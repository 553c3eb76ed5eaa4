/**
 * `npm run demo`: exit code 0 when everything could be shown, 1 when not, 2 for a wrong argument.
 * With `--json` it prints one object with the same facts, and nothing else.
 */
// Before the service is loaded: its lines are those of the TypeScript files.
process.setSourceMapsEnabled(true);
const { demo } = await import('./demo.js');

// An end by signal is an exit as well, so that a server started here ends, too.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

const args = process.argv.slice(2);
const json = args.includes('--json');
const unknown = args.find((arg) => arg !== '--json');

if (unknown !== undefined) {
  console.error(`unknown argument ${unknown}; the only one is --json`);
  process.exitCode = 2;
} else {
  try {
    const result = await demo(process.env, json ? () => undefined : console.log);
    process.exitCode = result.ok ? 0 : 1;
    if (json) console.log(JSON.stringify(result, null, 2));
    else for (const line of result.lines) console.log(line);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
