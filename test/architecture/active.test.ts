import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Where it is decided, and where a tenant or user itself is shown and changed. */
const DECIDES = /^src\/server\/(?:accounts\/|database\/(?:migrations\/|schema\.sql))/;
/** Say who is disabled to the person who logs in or administers; the tenant was checked by the same statement. */
const SHOWS_USERS =
  /^src\/server\/kernel\/auth\/(?:login|tokens|single-sign-on|recovery|first-administrator)\/store\.ts$/;

const files = readdirSync('src/server', { recursive: true, encoding: 'utf8' })
  .map((path) => join('src/server', path).replaceAll('\\', '/'))
  .filter((path) => /\.(?:ts|sql)$/.test(path) && !DECIDES.test(path));

function decidesItself(path: string, text: string): boolean {
  return /\bdisabled_at\b/.test(text) || (!SHOWS_USERS.test(path) && /\b(?:u|app_user)\.active\b/.test(text));
}

test('whether a tenant or a user is active is decided by is_tenant_active and is_user_active alone', () => {
  expect(files.filter((path) => decidesItself(path, readFileSync(path, 'utf8')))).toEqual([]);
  expect(decidesItself('src/server/x/store.ts', 'join tenant t on t.disabled_at is null')).toBe(true);
  expect(decidesItself('src/server/x/store.ts', 'join app_user u on u.id = r.user_id and u.active')).toBe(true);
});

/** Statements that take due work of all tenants, from a table that has a tenant. */
const CLAIMS = /skip locked|state = 'pending' and|: (?:Job|Held)Table = /;

test('what takes due work that leaves the server asks it', () => {
  const senders = ['live/callbacks', 'live/streams', 'reports/schedules', 'tachograph/remote', 'alerts/messaging'];
  for (const folder of senders) {
    const text = readFileSync(`src/server/${folder}/store.ts`, 'utf8');
    expect(text, folder).toMatch(CLAIMS);
    expect(text, folder).toMatch(/is_tenant_active\(/);
  }
});
