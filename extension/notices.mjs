/** Collects the licences of the packages that end up in the bundles, as these licences demand. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const PACKAGE_FOLDER = /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const LICENCE_FILE = /^(?:licen[cs]e|third-?party-?notices?|notice)/i;

/**
 * Writes dist/NOTICES.txt.
 * @param {string[]} inputs bundled files, relative to `root`
 * @param {string} root the extension's folder
 */
export async function writeNotices(inputs, root) {
  const folders = inputs.flatMap((input) => PACKAGE_FOLDER.exec(input)?.[0] ?? []);
  const notices = await Promise.all([...new Set(folders)].map((folder) => notice(resolve(root, folder))));
  await writeFile(resolve(root, 'dist/NOTICES.txt'), notices.sort().join('\n'));
}

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE.test(file));
  if (files.length === 0 && !license) throw new Error(`${name} is bundled but names no licence`);
  const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, 'utf8')));
  return [`${name} ${version} (${license})`, '='.repeat(72), ...texts.map((text) => text.trim()), ''].join(
    '\n',
  );
}
