/** What a rule asks of the project around a file. Everything may be unknown: then the answer is null or false. */
import { changedAt, foldersAbove, readText } from './files.js';

/** As the linter gives it: a path, or `<input>`, or nothing at all. */
type Filename = string | null | undefined;

interface Manifest {
  path: string;
  json: Readonly<Record<string, unknown>>;
}

interface Kept {
  manifest: Manifest | null;
  /** Of the file, when it was read; null while there is none. */
  changed: number | null;
  /** When the file was looked at last. */
  seen: number;
}

/** What was seen in this time still holds: one file asks many times, and an editor's session must see every install. */
const LIFETIME_MS = 2_000;

/** Manifests by path. */
const manifests = new Map<string, Kept>();

function manifestAt(path: string): Manifest | null {
  const now = performance.now();
  const kept = manifests.get(path);
  if (kept && now - kept.seen < LIFETIME_MS) return kept.manifest;
  const changed = changedAt(path);
  const manifest = kept?.changed === changed ? kept.manifest : parse(path);
  manifests.set(path, { manifest, changed, seen: now });
  return manifest;
}

function parse(path: string): Manifest | null {
  const text = readText(path);
  if (text === null) return null;
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? { path, json: json as Manifest['json'] } : null;
  } catch {
    return null;
  }
}

/** The nearest `package.json` above a file. */
function nearestManifest(filename: Filename): Manifest | null {
  for (const folder of foldersAbove(filename)) {
    const manifest = manifestAt(`${folder}/package.json`);
    if (manifest) return manifest;
  }
  return null;
}

/** How Node reads a file, by its ending and its package; null when there is no package around it. */
export function moduleTypeOf(filename: Filename): 'module' | 'commonjs' | null {
  const ending = /\.([cm])[jt]s$/.exec(filename ?? '')?.[1];
  if (ending) return ending === 'm' ? 'module' : 'commonjs';
  const manifest = nearestManifest(filename);
  if (!manifest) return null;
  return manifest.json.type === 'module' ? 'module' : 'commonjs';
}

/** The manifest of a package as it is installed for a file. */
function installed(filename: Filename, name: string): Manifest | null {
  for (const folder of foldersAbove(filename)) {
    const manifest = manifestAt(`${folder}/node_modules/${name}/package.json`);
    if (manifest) return manifest;
  }
  return null;
}

/**
 * Can a file import a package: is it installed above the file, or is it the file's own package and has `exports`
 * (https://nodejs.org/api/packages.html#self-referencing-a-package-using-its-name)? False for what Yarn keeps in
 * archives: nothing shows from outside.
 */
export function canResolve(filename: Filename, name: string): boolean {
  if (installed(filename, name)) return true;
  const own = nearestManifest(filename)?.json;
  return own?.name === name && 'exports' in own;
}

/** The version of a package that is installed for a file; null when there is none. */
function installedVersion(filename: Filename, name: string): string | null {
  const version = installed(filename, name)?.json.version;
  return typeof version === 'string' ? version : null;
}

const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** The range of a package's versions that a manifest asks for. */
function rangeIn(manifest: Manifest | null, name: string): string | null {
  for (const field of DEPENDENCIES) {
    const range = (manifest?.json[field] as Record<string, unknown> | null | undefined)?.[name];
    if (typeof range === 'string') return range;
  }
  return null;
}

/** The major version of a package for a file: as installed, else as the nearest manifests ask for it; null when unknown. */
export function installedMajor(filename: Filename, name: string): number | null {
  const version = installedVersion(filename, name);
  if (version !== null) return majorOf(version);
  for (const folder of foldersAbove(filename)) {
    const range = rangeIn(manifestAt(`${folder}/package.json`), name);
    if (range !== null) return majorOf(range);
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
export function onlyClientPackage(filename: Filename): string | null {
  const manifest = nearestManifest(filename);
  const found = CLIENT_PACKAGES.filter((name) => rangeIn(manifest, name) !== null);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** `^4.6.0` -> 4; null for tags, urls and ranges over several majors. */
function majorOf(range: string): number | null {
  const plain = /^\s*(?:npm:[^@]+@)?[\^~=v]*(\d+)(?:\.[\dx*]+)*(?:-[\w.-]+)?\s*$/.exec(range);
  return plain?.[1] ? Number(plain[1]) : null;
}
