/** Removes what the end-to-end flow never touches from a VS Code server: two thirds of its size. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const UNUSED_MODULES = [/^@github\/copilot-sdk-/, /^@microsoft\/mxc-sdk$/, /^@vscode\/windows-/];
const UNUSED_FOLDERS = [
  'extensions/copilot',
  'extensions/mermaid-markdown-features',
  'node_modules/node-pty/third_party',
];
const PREBUILT = ['node_modules/node-pty/prebuilds', 'node_modules/@vscode/ripgrep-universal/bin'];

/** @param {string} server the server's folder @param {string[]} natives modules that were just compiled */
export function slimDown(server, natives) {
  const modules = join(server, 'node_modules');
  const unused = [
    ...UNUSED_FOLDERS.map((folder) => join(server, folder)),
    ...moduleNames(modules)
      .filter((name) => UNUSED_MODULES.some((pattern) => pattern.test(name)))
      .map((name) => join(modules, name)),
    ...natives.flatMap((name) =>
      ['obj.target', '.deps'].map((folder) => join(modules, name, 'build/Release', folder)),
    ),
    ...PREBUILT.flatMap((folder) => otherPlatforms(join(server, folder))),
    ...readdirSync(server, { recursive: true })
      .filter((file) => file.endsWith('.map'))
      .map((file) => join(server, file)),
  ];
  for (const path of unused) rmSync(path, { recursive: true, force: true });
}

function otherPlatforms(folder) {
  return list(folder)
    .filter((name) => name !== `linux-${process.arch}`)
    .map((name) => join(folder, name));
}

function moduleNames(modules) {
  return list(modules).flatMap((name) =>
    name.startsWith('@') ? list(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  );
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not in every line
  }
}
