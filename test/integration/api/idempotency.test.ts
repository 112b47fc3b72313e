import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_KEY } from '../../support/api.ts';
import { type ExampleCall, readDocument, requestExamples, sendPlain } from '../../support/example-calls.ts';
import { type CommandWorld, openCommands } from './commands/support.ts';

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommands({ diagnostics: true, USAGE_SECONDS: 3_600 });
  // otherwise the first callback that is sent makes it, at any time: a row of tenant_setting
  expect((await world.api.get('/v1/webhooks/secret')).status).toBe(200);
});
afterAll(() => world?.stop());

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly security?: readonly { readonly bearer: readonly string[] }[];
}
const describedIn = (document: ReturnType<typeof readDocument>, { method, template }: ExampleCall): Described =>
  (document.paths[template] as Readonly<Record<string, Described>>)[method.toLowerCase()]!;

/** As the document shows it: some reads are POST and PUT, and need nothing but scopes that read. */
function hasEffects({ method }: ExampleCall, { security }: Described): boolean {
  const scopes = security?.[0]?.bearer ?? [];
  return method !== 'GET' && (scopes.length === 0 || !scopes.every((scope) => scope.endsWith(':read')));
}

/** Tables that background work writes to, or that record the requests themselves. */
const OTHERS =
  /^(idempotency|audit|feed|callback|command_|delivery|driver_|message|notification|relay|housekeeping|stream_|timeline|session|ddd_|position)/;
async function counts(): Promise<unknown> {
  const tables = await world.sql(`select relname as name from pg_class
    where relnamespace = 'fleetgate'::regnamespace and relkind in ('r', 'p')
      and not relispartition and has_table_privilege(oid, 'select') order by 1`);
  const names = tables.map(({ name }) => String(name)).filter((name) => !OTHERS.test(name));
  expect(names).toEqual(expect.arrayContaining(['driver', 'vehicle', 'command', 'geofence']));
  const [row] = await world.sql(`select ${names.map((n) => `(select count(*) from "${n}") as "${n}"`).join(', ')}`);
  return row;
}

test('every operation with effects honors an Idempotency-Key or refuses it', async () => {
  const document = readDocument();
  const found = { replayed: 0, refused: 0 };
  const wrong: string[] = [];
  const unexpected = await requestExamples(world.api, API_KEY, async (call) => {
    const described = describedIn(document, call);
    const send = (headers: Record<string, string> = {}) => sendPlain(world.api.url, call, headers);
    if (!hasEffects(call, described)) return send();
    const isDocumented = described.parameters?.some((each) => each.in === 'header' && each.name === 'Idempotency-Key');
    const key = { 'idempotency-key': `${call.operationId}-${found.replayed + found.refused}` };
    if (isDocumented !== true) {
      const { status, text } = await send(key);
      if (status !== 400 || !text.includes('idempotency-key-unsupported'))
        wrong.push(`${call.name}: ${status} ${text}`);
      found.refused++;
      return send();
    }
    const first = await send(key);
    if (first.status >= 400) return first;
    const before = await counts();
    const second = await send(key);
    if (second.headers.get('idempotency-replayed') !== 'true' || second.text !== first.text) {
      wrong.push(`${call.name}: ${second.status} ${second.text}`);
    }
    expect(await counts(), call.name).toEqual(before);
    found.replayed++;
    return first;
  });
  expect({ wrong, unexpected }).toEqual({ wrong: [], unexpected: [] });
  expect(found.replayed).toBeGreaterThan(60);
  expect(found.refused).toBeGreaterThan(8);
}, 300_000);

test('a form with other files is another request', async () => {
  const form = (text: string) => {
    const body = new FormData();
    body.append('file', new Blob([text]), 'a.ddd');
    body.append('file', new Blob(['no download either']), 'b.ddd');
    return body;
  };
  const send = (text: string) =>
    fetch(`${world.api.url}/v1/drivers/ddd`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'idempotency-key': 'form-1' },
      body: form(text),
    });
  const first = await send('no download');
  expect(first.status).toBe(200);
  const again = await send('no download');
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  expect(await again.text()).toBe(await first.text());
  const other = await send('something else');
  expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([422, 'idempotency-key-reused']);
});
