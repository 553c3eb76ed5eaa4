/** The demo: lint the service, race it before and after the repair, and say what was seen. */
import { openDatabase } from '../database/database.js';
import { openRedis, type DemoRedis } from './demo-redis.js';
import { factsOf, verdictOf, type Facts } from './facts.js';
import { lint, type Finding } from './lint.js';
import { findingText, raceText, stockText, title } from './print.js';
import { race, type Version } from './race.js';

export interface Result {
  /** Could everything be shown? */
  readonly ok: boolean;
  readonly findings: Readonly<Record<Version, readonly Finding[]>>;
  /** Null without a Redis. */
  readonly races: Readonly<Record<Version, Facts>> | null;
  /** The lines that the demo ends with. */
  readonly lines: readonly string[];
}

const NO_REDIS = 'No Redis to replay the race on: run `npm run setup` to install one, or set REDIS_URL.';
const EXPECTED = ['lockproof/require-unique-token', 'lockproof/no-blind-release'];

type Say = (text: string) => void;

/**
 * @param env REDIS_URL and DATABASE_URL are read
 * @param say gets the text as it comes
 * @throws Error when Redis or the database can't be used
 */
export async function demo(env: NodeJS.ProcessEnv, say: Say): Promise<Result> {
  const findings = { before: await lint('before'), after: await lint('after') };
  sayFindings(findings, say);
  const redis = await openRedis(env.REDIS_URL);
  if (!redis) return { ok: false, findings, races: null, lines: [NO_REDIS] };
  try {
    const races = await runRaces(redis, env.DATABASE_URL, say);
    const { shown, missing } = verdictOf(races.before, races.after);
    const reported = EXPECTED.filter((rule) => findings.before.some((finding) => finding.rule === rule));
    const linted = reported.length === EXPECTED.length && findings.after.length === 0;
    const failed = linted
      ? missing
      : ['not shown: the linter reports src/before and not src/after', ...missing];
    return { ok: failed.length === 0, findings, races, lines: [...failed, ...shown] };
  } finally {
    await redis.close();
  }
}

function sayFindings({ before, after }: Result['findings'], say: Say): void {
  say(title('The linter'));
  for (const finding of [...before, ...after]) say(findingText(finding));
  if (after.length === 0) say('  src/after: nothing to report');
}

async function runRaces(
  redis: DemoRedis,
  databaseUrl: string | undefined,
  say: Say,
): Promise<Record<Version, Facts>> {
  const db = await openDatabase(databaseUrl);
  try {
    say(title(`The race, on ${redis.where}, keys below ${redis.prefix}`));
    const run = async (version: Version): Promise<Facts> => {
      const observed = await race(version, redis, db);
      const facts = factsOf(observed);
      say(`  src/${version}\n${raceText(observed.report, facts)}\n`);
      return facts;
    };
    const races = { before: await run('before'), after: await run('after') };
    say(title(`The last unit, as read from ${db.name}`));
    for (const facts of [races.before, races.after]) say(stockText(facts));
    say('');
    return races;
  } finally {
    await db.close();
  }
}
