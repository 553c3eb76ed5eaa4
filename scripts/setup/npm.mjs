/** npm, free of the settings that `npm run` hands down to what it starts. */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

const HANDED_DOWN =
  /^npm_(?:package_|lifecycle_|command$|execpath$|config_(?:local_prefix|nodedir|workspaces?|prefix|noproxy)$)/;

/** Environment for an npm that works in a folder of its own. */
export function npmEnv() {
  const own = Object.entries(process.env).filter(([name]) => !HANDED_DOWN.test(name));
  return {
    ...Object.fromEntries(own),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}

/**
 * Fetches a package and unpacks it; runs none of its scripts.
 * @param {string} name name and version
 * @param {string} folder where its files go
 * @param {string} [integrity] what the tarball's hash has to be
 */
export function fetchPackage(name, folder, integrity) {
  const download = `${folder}.download`;
  mkdirSync(download, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const answer = JSON.parse(
    run('npm', ['pack', name, '--json', '--pack-destination', download], { env: npmEnv(), cwd: download }),
  );
  const [{ integrity: found }] = Object.values(answer); // a list, or from npm 11 on keyed by name
  if (integrity && found !== integrity)
    throw new Error(`${name}: the tarball's integrity is ${found}, expected ${integrity}`);
  const [tarball] = readdirSync(download);
  run('tar', ['-xzf', join(download, tarball), '-C', folder, '--strip-components=1', '--no-same-owner']);
  rmSync(download, { recursive: true });
}
