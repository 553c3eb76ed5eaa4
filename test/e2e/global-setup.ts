/** Finds, and where needed prepares, the VS Code server and the browser; finds the packed extension. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

export interface Places {
  /** Folder of the prepared VS Code server. */
  readonly vscode: string;
  /** The browser's executable. */
  readonly browser: string;
  /** The extension as it is shipped. */
  readonly vsix: string;
  /** Where screenshots go. */
  readonly artifacts: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    places: Places;
  }
}

const root = resolve(import.meta.dirname, '../..');

export default function setup(project: TestProject): void {
  const line = process.env.VSCODE_LINE;
  const answer = execFileSync(process.execPath, [`${root}/scripts/setup/e2e.mjs`, ...(line ? [line] : [])], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { vscode, browser } = JSON.parse(answer) as Pick<Places, 'vscode' | 'browser'>;
  project.provide('places', { vscode, browser, vsix: findVsix(), artifacts: `${root}/artifacts` });
}

function findVsix(): string {
  const manifest = readFileSync(`${root}/extension/package.json`, 'utf8');
  const { name, version } = JSON.parse(manifest) as { name: string; version: string };
  const vsix = `${root}/extension/${name}-${version}.vsix`;
  if (!existsSync(vsix)) throw new Error(`${vsix} is missing; run \`npm run package -w extension\` first`);
  return vsix;
}
