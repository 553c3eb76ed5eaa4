/** What the READMEs show works as it stands there. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import { startRedisServer, type RedisServer } from 'lockproof/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const READMES = ['README.md', 'README.zh-CN.md'];

/** The code block whose fence says what it is for. */
function block(readme: string, purpose: string): string {
  const text = readFileSync(join(root, readme), 'utf8');
  const found = new RegExp(`\`\`\`\\w+ ${purpose}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
  if (!found) throw new Error(`${readme} has no block for ${purpose}`);
  return found;
}

let folder: string;
let server: RedisServer;
beforeAll(async () => {
  // Below the workspace, so that packages resolve as in a user's project.
  mkdirSync(join(root, 'node_modules/.cache'), { recursive: true });
  folder = mkdtempSync(join(root, 'node_modules/.cache/readme-'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  server = await startRedisServer();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

const WRONG = `
  const ok = await redis.set('order:lock:1', 'locked', 'PX', 8000, 'NX');
  if (!ok) return;
  try { await work(); } finally { await redis.del('order:lock:1'); }
}
`;

async function lintWith(config: string, file: string, code: string): Promise<(string | null)[]> {
  writeFileSync(join(folder, 'eslint.config.js'), config);
  writeFileSync(join(folder, file), code);
  const eslint = new ESLint({
    cwd: folder,
    ignore: false,
    overrideConfigFile: join(folder, 'eslint.config.js'),
  });
  const [result] = await eslint.lintFiles([file]);
  return result?.messages.map((message) => message.ruleId ?? message.message) ?? [];
}

const FOUND = ['lockproof/require-unique-token', 'lockproof/no-blind-release'];

describe.each(READMES)('%s', (readme) => {
  test('the config for JavaScript', async () => {
    const code = `export async function run(redis, work) {${WRONG}`;
    expect(await lintWith(block(readme, 'javascript'), `${readme}.js`, code)).toEqual(FOUND);
  });

  test('the config for TypeScript', async () => {
    const code = `import type { Redis } from 'ioredis';\nexport async function run(redis: Redis, work: () => Promise<void>) {${WRONG}`;
    expect(await lintWith(block(readme, 'typescript'), `${readme}.ts`, code)).toEqual(FOUND);
  });

  test('the runtime', async () => {
    const code = block(readme, 'runtime')
      .replace('new Redis()', `new Redis(${JSON.stringify(server.url)})`)
      .replace(
        'import { createLocks }',
        "const done = [];\nconst reserveStock = async ({ signal }) => { done.push(signal.aborted); };\nconst confirmOrder = async () => { done.push('confirmed'); };\nimport { createLocks }",
      );
    const file = join(folder, `${readme}.mjs`);
    writeFileSync(file, `${code}\nconsole.log(JSON.stringify(done));\nprocess.exit(0);\n`);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    expect(JSON.parse(stdout)).toEqual([false, 'confirmed']);
  });

  test('the two commands are the ones of package.json', () => {
    const text = readFileSync(join(root, readme), 'utf8');
    expect(text).toContain('npm ci && npm run setup && npm run demo');
    expect(text).toContain('npm ci && npm run setup && npm test');
  });
});

test('both READMEs have the same headings and the same code', () => {
  const shape = (readme: string): string[] =>
    readFileSync(join(root, readme), 'utf8')
      .match(/^#+ |^```.*$/gm)
      ?.map((line) => line.trim()) ?? [];
  expect(shape('README.zh-CN.md')).toEqual(shape('README.md'));
});
