import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { anchorFile, anchorWebhook } from '../../../src/server/index.ts';
import { createOutbound } from '../../../src/server/kernel/outbound/index.ts';
import { type RunningApi, SECRETS_KEY, startApi } from '../../support/api.ts';
import { runCommand } from '../../support/command-line.ts';
import { asOwner, dropDatabases, withDatabase } from '../../support/databases.ts';

vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'fleetgate-audit-'));
let url: string;
let anchors: string;
let files = 0;

afterAll(async () => {
  await dropDatabases();
  rmSync(folder, { recursive: true });
});

const start = () => startApi(url, {}, { auditAnchors: [anchorFile(anchors)] });
/** Everything that was written is in a block. */
async function sealed(api: RunningApi): Promise<void> {
  const count = async () =>
    (await api.database.ingest.query('select count(*)::int as n from audit where block is null')).rows[0].n;
  await expect.poll(count, { timeout: 60_000 }).toBe(0);
}
async function write(names: readonly string[]): Promise<void> {
  const api = await start();
  for (const name of names) {
    expect((await api.send('POST', '/v1/groups', { name })).status).toBe(200);
    await sealed(api);
  }
  await api.stop();
}
const verify = (file = anchors) =>
  runCommand(['audit', 'verify', '--anchor', file], { DATABASE_URL: url, SECRETS_KEY, DATA_DIR: folder });
/** makes the hashes fit again, as somebody can who knows the code */
const RECOMPUTE = `do $$
  declare b audit_block; before bytea := '';
  begin
    for b in select * from audit_block where tenant_id = (select min(tenant_id) from audit_block) order by number loop
      update audit_block set previous = before, rows = r.n, hash = sha256(before || coalesce(r.body, ''))
      from (select count(*)::int as n, string_agg(audit_digest(a), ''::bytea order by a.id) as body
            from audit a where a.tenant_id = b.tenant_id and a.block = b.number) r
      where tenant_id = b.tenant_id and number = b.number returning hash into before;
    end loop;
  end $$`;

beforeEach(async () => {
  url = await withDatabase(async (fresh) => fresh);
  anchors = join(folder, `anchors-${++files}.jsonl`);
  await write(['one', 'two', 'three']);
});

test('an audit trail that nobody changed is intact', async () => {
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tenant \d+: 3 blocks, intact\n$/) });
  await write(['four']);
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 4 blocks, intact\n$/) });
});

describe('shows', () => {
  test.each([
    ['a changed row', `update audit set actor = 'somebody else' where block = 2`],
    ['a removed row', 'delete from audit where block = 2'],
    [
      'an inserted row',
      `insert into audit (tenant_id, actor, action, block) select tenant_id, 'me', 'login', 2 from audit limit 1`,
    ],
  ])('%s, also where the hashes were computed again', async (_name, change) => {
    await asOwner(url, change);
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('block 2 or its rows') });
    await asOwner(url, RECOMPUTE);
    const api = await start();
    // a chain that starts at the same length and has correct hashes is not the one that was written
    expect((await api.get('/v1/audit/chain')).body).toMatchObject({ intact: false });
    await api.stop();
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('was not written by this installation'),
    });
  });

  test('a removed tail, also after the trail went on', async () => {
    await asOwner(url, 'delete from audit where block = 3', 'delete from audit_block where number = 3');
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringMatching(/blocks up to 3 .* are missing/) });
    await write(['instead']);
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/block 3 is not the one .* anchored/),
    });
  });

  test('a MAC that was removed', async () => {
    await asOwner(url, 'update audit_block set mac = null where number = 3');
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('block 3 was not written') });
  });

  test('that all of it is gone', async () => {
    await asOwner(url, 'delete from audit', 'delete from audit_block');
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringMatching(/: 0 blocks, .*are missing/) });
  });
});

test('a chain of an earlier version is verified, and covered by the next MAC', async () => {
  await asOwner(url, 'update audit_block set mac = null, mac_key = null', 'delete from audit_key');
  writeFileSync(anchors, '');
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('the last 3 have no MAC yet') });
  await write(['four']);
  expect(
    readFileSync(anchors, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).block),
  ).toEqual([3, 4]);
  expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 4 blocks, intact\n$/) });
  await asOwner(url, `update audit set actor = 'somebody else' where block = 1`, RECOMPUTE);
  expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('block 4 was not written') });
});

test('an entry is sealed that was written while an older transaction ran', async () => {
  await asOwner(
    url,
    'create sequence seal_call',
    'alter function seal_audit() rename to seal_audit_itself',
    `create function seal_audit() returns setof audit_block language plpgsql security definer
     set search_path = fleetgate, pg_temp as $$
     begin
       return query select * from seal_audit_itself();
       perform nextval('seal_call');
     end $$`,
    'grant execute on function seal_audit() to fleetgate_ingest',
  );
  const calls = async () =>
    Number(
      (
        await asOwner<{ n: string }>(url, 'select case when is_called then last_value else 0 end as n from seal_call')
      )[0]!.n,
    );
  const older = new pg.Client({ connectionString: url });
  await older.connect();
  await older.query('begin');
  await older.query('select pg_current_xact_id()');
  const api = await start();
  expect((await api.send('POST', '/v1/groups', { name: 'four' })).status).toBe(200);
  const before = await calls();
  await expect.poll(calls, { timeout: 60_000 }).toBeGreaterThan(before);
  await older.query('commit');
  await older.end();
  await sealed(api);
  await api.stop();
});

test('heads are sent to a webhook, again where it was not reachable', async () => {
  const bodies: { anchors: { block: number }[] }[] = [];
  let status = 500;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      bodies.push(JSON.parse(text));
      response.writeHead(status).end();
      status = 204;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/anchors`;
  const webhook = anchorWebhook(receiver, createOutbound({ allowsPrivate: true }));
  const api = await startApi(url, {}, { auditAnchors: [webhook] });
  await expect.poll(() => bodies.length, { timeout: 60_000 }).toBe(1);
  await api.stop();
  expect(bodies.map(({ anchors: sent }) => sent.map(({ block }) => block))).toEqual([[3], [3]]);
  server.close();
});
