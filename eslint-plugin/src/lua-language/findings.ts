/** What a `.lua` file does to locks without asking who holds them. */
import { lockFindings } from '../lua/findings.js';
import { judgeScript, type Effect } from '../lua/verdict.js';
import { hasLockWord, isAcquireName, isForcedName, isReleaseName, isRenewName } from '../model/names.js';

/** The name of the file and of its folder (`locks/release.lua`) tell what the script is for. */
export function findingsInFile(text: string, filename: string): Effect[] {
  const [folder = '', file = ''] = `/${filename}`.split(/[/\\]/).slice(-2);
  const name = file.replace(/\.lua$/i, '');
  const isForced = isForcedName(name);
  return lockFindings(judgeScript(text), {
    speaksOfLock: !isForced && (hasLockWord(`${folder} ${name}`) || isAcquireName(name)),
    namesAct: !isForced && (isReleaseName(name) || isRenewName(name)),
    isLockWord: hasLockWord,
  });
}
