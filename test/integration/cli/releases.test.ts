import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { startTestServer, type TestServer } from '../../support/postgres.ts';
import { KEY, type Part, part } from '../../support/processes.ts';

const RELEASES = join(import.meta.dirname, 'releases');
const releases = readdirSync(RELEASES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
type Answers = Readonly<Record<string, unknown>>;

let server: TestServer | undefined;
let api: Part | undefined;
const dataDir = mkdtempSync(join(tmpdir(), 'fleetgate-releases-'));
afterAll(async () => {
  await api?.kill();
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each(releases.map(({ name }) => name))('the database of %s', (release) => {
  const folder = join(RELEASES, release);
  const before = JSON.parse(gunzipSync(readFileSync(join(folder, 'answers.json.gz'))).toString()) as Answers;

  test('is imported and migrated, and gives the answers of that time', { timeout: 240_000 }, async () => {
    server ??= await startTestServer();
    const url = await server.database();
    const imported = await runCommand(['db', 'import', join(folder, 'database.gz')], { DATABASE_URL: url });
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringMatching(/\d+ rows of \d+ tables imported/) });
    expect(await runCommand(['upgrade'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
    api = await part({ ROLE: 'api', DATABASE_URL: url, DATA_DIR: dataDir });
    await api.start();
    const after: Record<string, unknown> = {};
    for (const path of Object.keys(before)) after[path] = await get(api.url + path);
    expect(differences(before, after)).toEqual([]);
  });
});

const near = (was: unknown, is: unknown): boolean => Math.abs(Number(is) - Number(was)) <= 0.005 * Number(was);
const known = (): boolean => true;
const leftOut = (was: unknown, is: unknown): boolean => was === null && is === undefined;
/** Members that may differ from the first release, and how. */
const CHANGED: Readonly<Record<string, (was: unknown, is: unknown) => boolean>> = {
  // time has passed, or the import was recorded
  ageMs: known,
  oldestAgeMs: known,
  lastLoginAt: known,
  blocks: known,
  head: known,
  nextCursor: (was, is) => typeof was === typeof is,
  // an open end is now
  to: (was, is) => Date.parse(String(is)) > Date.parse(String(was)),
  // on the ellipsoid rather than a sphere
  distanceM: near,
  avgSpeed: near,
  // absent unless asked for
  driver: leftOut,
  lastPosition: leftOut,
  scopes: (was, is) => JSON.stringify(is) === JSON.stringify(was).replace('commands:dangerous', 'commands:privileged'),
};

/** Where `is` lacks something of `was`, or has another value. */
function differences(was: unknown, is: unknown, path = '', member = ''): string[] {
  if (is === was || CHANGED[member]?.(was, is)) return [];
  if (typeof was === 'string' && was.includes('\r\n')) return differences(table(was), table(String(is)), path);
  if (typeof was !== 'object' || was === null || typeof is !== 'object' || is === null) {
    return [`${path}: ${JSON.stringify(was)} was, ${JSON.stringify(is)} is`];
  }
  const isList = Array.isArray(was);
  if (isList && was.length !== (is as unknown[]).length) return [`${path}: ${was.length} entries were`];
  return Object.entries(was).flatMap(([key, value]) =>
    differences(value, (is as Record<string, unknown>)[key], `${path} ${key}`, key),
  );
}

/** Lines of a CSV file by the names of the columns. */
function table(csv: string): Record<string, string | undefined>[] {
  const [head = [], ...rows] = csv.split('\r\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head.map((name, n) => [name, row[n]])));
}

async function get(url: string): Promise<unknown> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${KEY}` } });
  return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text();
}
