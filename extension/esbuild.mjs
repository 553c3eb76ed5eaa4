/** Bundles the extension into dist/: the client, the server, and the two linters that the server loads when it needs them. */
import { copyFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { writeNotices } from './notices.mjs';

const here = import.meta.dirname;

/** ESLint's `Linter` brings its 290 core rules along. None is ever run here. */
const withoutCoreRules = {
  name: 'without-core-rules',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]eslint[\\/]lib[\\/]rules[\\/]index\.js$/ }, () => ({
      contents: 'module.exports = new Map();',
    }));
  },
};

await rm(`${here}/dist`, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: {
    extension: 'src/client/extension.ts',
    server: 'src/server/main.ts',
    'lint-js': 'src/server/lint-js.ts',
    'lint-ts': 'src/server/lint-ts.ts',
  },
  outdir: 'dist',
  bundle: true,
  minify: true,
  legalComments: 'none', // NOTICES.txt has the licences in full
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  supported: { 'dynamic-import': false }, // bundles that are loaded late are CommonJS, too
  external: ['vscode', './lint-js.js', './lint-ts.js'],
  plugins: [withoutCoreRules],
  metafile: true,
  logLevel: 'warning',
});
await writeNotices(Object.keys(metafile.inputs), here);
await copyFile(`${here}/../LICENSE`, `${here}/LICENSE`);
