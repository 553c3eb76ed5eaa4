// One measurement in a process of its own: `node fix-one.mjs <count>` has ESLint repair that many lock files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import lockproof from 'eslint-plugin-lockproof';

const LOCK = `import { Redis } from 'ioredis';
const redis = new Redis();
export async function run(key, work) {
  const ok = await redis.set(key, 'locked', 'PX', 8000, 'NX');
  if (!ok) return;
  try { await work(); } finally { await redis.del(key); }
}
`;

// Below the workspace, so that the runtime is found.
const cache = join(import.meta.dirname, '../../node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'fix-'));
try {
  const count = Number(process.argv[2]);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  for (let i = 0; i < count; i++) writeFileSync(join(folder, `lock-${i}.js`), LOCK);
  const eslint = new ESLint({
    cwd: folder,
    overrideConfigFile: true,
    overrideConfig: [lockproof.configs.recommended],
    ignore: false,
    fix: true,
  });
  const began = performance.now();
  const results = await eslint.lintFiles(['*.js']);
  const ms = performance.now() - began;
  const fixed = results.filter(({ output }) => output?.includes('tryAcquireLease')).length;
  if (fixed !== count) throw new Error(`${fixed} of ${count} files were repaired`);
  console.log(JSON.stringify({ ms }));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
