/** What a rule asks of the project around a file. Everything may be unknown: then the answer is null or false. */
import { dirname, isAbsolute, join } from 'node:path';
import { changedAt, readText } from './files.js';

export interface Manifest {
  path: string;
  json: Readonly<Record<string, unknown>>;
}

interface Kept {
  changed: number;
  manifest: Manifest | null;
}

/** Parsed manifests by path, valid as long as the file does not change: an editor's session sees every install. */
const manifests = new Map<string, Kept>();

function manifestAt(path: string): Manifest | null {
  const changed = changedAt(path);
  if (changed === null) return null;
  const kept = manifests.get(path);
  if (kept?.changed === changed) return kept.manifest;
  const manifest = parse(path);
  manifests.set(path, { changed, manifest });
  return manifest;
}

function parse(path: string): Manifest | null {
  try {
    const json: unknown = JSON.parse(readText(path) ?? '');
    return typeof json === 'object' && json !== null ? { path, json: json as Manifest['json'] } : null;
  } catch {
    return null;
  }
}

/** The folders from a file's own up to the root; none for names that are no paths (`<input>`). */
function foldersAbove(filename: string): string[] {
  if (!isAbsolute(filename)) return [];
  const folders: string[] = [];
  for (let folder = dirname(filename); ; folder = dirname(folder)) {
    folders.push(folder);
    if (dirname(folder) === folder) return folders;
  }
}

/** The nearest `package.json` above a file. */
export function nearestManifest(filename: string): Manifest | null {
  for (const folder of foldersAbove(filename)) {
    const manifest = manifestAt(join(folder, 'package.json'));
    if (manifest) return manifest;
  }
  return null;
}

/** How Node reads a file, by its ending and its package; null when there is no package around it. */
export function moduleTypeOf(filename: string): 'module' | 'commonjs' | null {
  if (/\.m[jt]s$/.test(filename)) return 'module';
  if (/\.c[jt]s$/.test(filename)) return 'commonjs';
  const manifest = nearestManifest(filename);
  if (!manifest) return null;
  return manifest.json.type === 'module' ? 'module' : 'commonjs';
}

/** The manifest of a package as it is installed for a file. */
function installed(filename: string, name: string): Manifest | null {
  for (const folder of foldersAbove(filename)) {
    const manifest = manifestAt(join(folder, 'node_modules', name, 'package.json'));
    if (manifest) return manifest;
  }
  return null;
}

/** Can a file import a package: is it installed above the file, or is it the file's own package? */
export function canResolve(filename: string, name: string): boolean {
  return installed(filename, name) !== null || nearestManifest(filename)?.json.name === name;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** The major version of a package for a file: as installed, else as the nearest manifests ask for it; null when unknown. */
export function installedMajor(filename: string, name: string): number | null {
  const version = installed(filename, name)?.json.version;
  if (typeof version === 'string') return majorOf(version);
  for (const folder of foldersAbove(filename)) {
    const manifest = manifestAt(join(folder, 'package.json'));
    for (const field of DEPENDENCIES) {
      const range = (manifest?.json[field] as Record<string, unknown> | undefined)?.[name];
      if (typeof range === 'string') return majorOf(range);
    }
  }
  return null;
}

const CLIENT_PACKAGES = [
  'ioredis',
  'iovalkey',
  'redis',
  '@redis/client',
  '@upstash/redis',
  '@vercel/kv',
  '@valkey/valkey-glide',
];

/** The one Redis client that the package around a file depends on; null for none, and for several. */
export function onlyClientPackage(filename: string): string | null {
  const json = nearestManifest(filename)?.json ?? {};
  const found = CLIENT_PACKAGES.filter((name) =>
    DEPENDENCIES.some((field) => name in ((json[field] as object | undefined) ?? {})),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `^4.6.0` -> 4; null for tags, urls and ranges over several majors. */
function majorOf(range: string): number | null {
  const plain = /^\s*(?:npm:[^@]+@)?[\^~=v]*(\d+)(?:\.[\dx*]+)*(?:-[\w.-]+)?\s*$/.exec(range);
  return plain?.[1] ? Number(plain[1]) : null;
}
