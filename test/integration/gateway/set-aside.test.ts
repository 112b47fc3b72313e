import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerSetAside, SetAsideDesk } from '../../../src/apps/set-aside.ts';
import { apiTarget, createPusher, type Pusher, pushTarget } from '../../../src/gateway/pusher/index.ts';
import { EVENT, type Spool } from '../../../src/gateway/spool/index.ts';
import { Downlink, Tokens } from '../../../src/gateway/uplink/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { INTERNAL_KEY, type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';
import { Receiver } from '../../support/delivery/receiver.ts';
import { SpoolFolder, silent } from '../../support/delivery/spool.ts';
import { packedPosition } from '../../support/spool-records.ts';

const DEVICE = '356307042441013';
const LISTED = 3;

/** the gateway is connected to one process of the API, and the operator to the other */
let operator: RunningApi;
let other: RunningApi;
beforeAll(async () => {
  const url = await createDatabase();
  operator = await startApi(url);
  other = await startApi(url);
});
afterAll(async () => {
  await operator?.stop();
  await other?.stop();
  await dropDatabases();
});

let gateways = 0;
let gateway: string;
let folder: SpoolFolder;
let spool: Spool;
let receiver: Receiver;
let downlink: Downlink;
let pushers: Pusher[];
/** positions that the additional target rejects */
let rejects: boolean;

beforeEach(async () => {
  gateway = `gw-aside-${++gateways}`;
  rejects = true;
  folder = await SpoolFolder.make();
  receiver = await Receiver.start();
  receiver.always = ({ body }, response) => {
    const rejected = rejects
      ? (JSON.parse(body) as { positions: object[] }).positions.map((_, index) => ({
          index,
          code: 'odd',
          detail: 'no',
        }))
      : [];
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ rejected }));
    return true;
  };
  spool = await folder.open({ targets: ['api', 'push'] });
  await connect();
});
afterEach(async () => {
  await disconnect();
  await receiver.close();
  await folder.remove();
});

async function connect(): Promise<void> {
  const at = () => ({ apiUrl: other.url });
  const common = { clock: systemClock, log: silent };
  const tokens = new Tokens({ at, internalKey: INTERNAL_KEY, gatewayId: gateway }, systemClock);
  const authorise = () => tokens.get();
  pushers = [
    createPusher({ spool, target: apiTarget({ at, spool, authorise, ...common }), ...common }),
    createPusher({ spool, target: pushTarget({ url: receiver.url, clock: systemClock }), ...common }),
  ];
  const desk = new SetAsideDesk(spool, LISTED);
  downlink = new Downlink({
    at,
    tokens,
    ...common,
    handleLine: (line) => void (line.type === 'set-aside' && answerSetAside(line, desk, downlink, silent)),
    onInterrupted: () => {},
    online: () => [],
    setAside: (whole) => desk.report(whole),
  });
  downlink.start();
  await expect.poll(async () => (await gatewayShown())?.connected).toBe(true);
}

async function disconnect(): Promise<void> {
  await downlink.stop();
  for (const pusher of pushers) await pusher.drain(0);
}

const gatewayShown = async () =>
  (await operator.get('/v1/gateways')).body.items.find((each: { gateway: string }) => each.gateway === gateway);
const listed = async (query = '') =>
  (await operator.get(`/v1/set-aside-records?gateway=${gateway}${query}`)).body.items as Record<string, unknown>[];
const path = (id: string) => `/v1/gateways/${gateway}/set-aside-records/${id}`;
const replay = (id: string) => operator.send('POST', `${path(id)}/replay`);
const drop = (id: string) => operator.send('DELETE', path(id));
const audited = async (action: string) =>
  (await operator.get(`/v1/audit?action=${encodeURIComponent(action)}`)).body.items.filter(
    ({ object }: { object: string }) => object.startsWith(`${gateway}/`),
  );

/** A position that the additional target rejects and an event that the API does; the gateway has reported them. */
async function twoRejected(): Promise<void> {
  const { kind, bytes } = packedPosition(1, DEVICE, 1);
  await spool.append([
    { kind, bytes } as Parameters<Spool['append']>[0][number],
    { kind: EVENT, bytes: Buffer.from('{"type":"no-such-event","at":1790000000000,"imei":"D-1"}') },
  ]);
  await Promise.all(pushers.map((pusher) => pusher.delivered(2)));
  await downlink.renew();
}

describe('records that a target has rejected', () => {
  test('are counted and listed, of all gateways or of one gateway or device', async () => {
    await twoRejected();
    expect(await gatewayShown()).toMatchObject({ connected: true, setAside: 2, listed: 2 });
    const items = await listed();
    expect(items).toHaveLength(2);
    expect(items).toContainEqual({
      gateway,
      id: 'push-1',
      target: 'push',
      what: 'position',
      imei: DEVICE,
      protocol: expect.any(String),
      time: expect.stringMatching(/Z$/),
      at: expect.any(String),
      code: 'odd',
      detail: 'no',
      size: expect.any(Number),
      replaying: false,
    });
    expect(items).toContainEqual(
      expect.objectContaining({ id: 'api-2', what: 'no-such-event', imei: 'D-1', time: '2026-09-21T14:13:20Z' }),
    );
    expect(await listed(`&imei=${DEVICE}`)).toMatchObject([{ id: 'push-1' }]);
    const first = (await operator.get(`/v1/set-aside-records?gateway=${gateway}&limit=1`)).body;
    expect(first.items).toEqual([items[0]]);
    expect((await listed(`&limit=1&cursor=${first.nextCursor}`)).concat(first.items)).toHaveLength(2);
  });

  test('are listed up to a limit, and counted all', async () => {
    await twoRejected();
    await spool.append(Array.from({ length: 4 }, () => ({ kind: EVENT, bytes: Buffer.from('{"type":"none"}') })));
    await pushers[0]!.delivered(6);
    await downlink.renew();
    expect(await gatewayShown()).toMatchObject({ setAside: 6, listed: LISTED });
    expect(await listed()).toHaveLength(LISTED);
  });

  test('are shown with their content, which is read from the gateway and leaves an entry in the audit trail', async () => {
    await twoRejected();
    const { status, body } = await operator.get(path('push-1'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ gateway, id: 'push-1', code: 'odd', text: null, content: { deviceId: DEVICE } });
    expect(await audited('GET /v1/gateways/:gateway/set-aside-records/:id')).toHaveLength(1);
    expect(await operator.get(path('push-9'))).toMatchObject({
      status: 404,
      body: { code: 'unknown-set-aside-record' },
    });
  });

  test('are rejected again when they are replayed too early, and delivered later', async () => {
    await twoRejected();
    const before = (await listed()).find(({ id }) => id === 'push-1')!;
    expect((await replay('push-1')).body).toEqual({ outcome: 'rejected', code: 'odd', detail: 'no' });
    expect((await listed()).find(({ id }) => id === 'push-1')).toEqual({ ...before, at: expect.any(String) });
    rejects = false;
    expect((await replay('push-1')).body).toEqual({ outcome: 'delivered', code: null, detail: null });
    expect(await listed()).toMatchObject([{ id: 'api-2' }]);
    expect(await audited('POST /v1/gateways/:gateway/set-aside-records/:id/replay')).toMatchObject([
      { object: `${gateway}/push-1`, before: { imei: DEVICE }, after: { outcome: 'rejected' } },
      { object: `${gateway}/push-1`, before: { imei: DEVICE }, after: { outcome: 'delivered' } },
    ]);
  });

  test('are deleted on request, once', async () => {
    await twoRejected();
    expect((await drop('api-2')).body).toMatchObject({ outcome: 'dropped' });
    expect(await listed()).toMatchObject([{ id: 'push-1' }]);
    expect(spool.setAside('api').count).toBe(0);
    expect(await drop('api-2')).toMatchObject({ status: 404, body: { code: 'unknown-set-aside-record' } });
    expect(await audited('DELETE /v1/gateways/:gateway/set-aside-records/:id')).toMatchObject([
      { object: `${gateway}/api-2`, before: { code: expect.any(String) }, after: { outcome: 'dropped' } },
    ]);
  });

  test('stay listed while the gateway is away, which is an error of its own', async () => {
    await twoRejected();
    await downlink.stop();
    await operator.database.ingest.query('update gateway_lease set lease_until = now() where gateway = $1', [gateway]);
    expect(await replay('push-1')).toMatchObject({ status: 503, body: { detail: 'The gateway is not connected' } });
    expect(await gatewayShown()).toMatchObject({ connected: false, setAside: 2 });
    expect(await listed()).toHaveLength(2);
    expect((await operator.get('/v1/gateways/nowhere/set-aside-records/api-1')).status).toBe(404);
  });
});

test('credentials without the scopes of operators see and change nothing', async () => {
  const made = await operator.send('POST', '/v1/keys', { name: 'reader', scopes: ['ops', 'positions:read'] });
  const reader = { authorization: `Bearer ${made.body.key}` };
  const none = await operator.send('POST', '/v1/keys', { name: 'nobody', scopes: ['users:read', 'devices:write'] });
  const nobody = { authorization: `Bearer ${none.body.key}` };
  for (const url of ['/v1/gateways', '/v1/set-aside-records', path('api-1')]) {
    expect((await operator.get(url, nobody)).status, url).toBe(403);
  }
  expect((await operator.get('/v1/set-aside-records', reader)).status).toBe(200);
  expect((await operator.send('POST', `${path('api-1')}/replay`, undefined, reader)).status).toBe(403);
  expect((await operator.send('DELETE', path('api-1'), undefined, reader)).status).toBe(403);
  const answer = { request: 'r', answer: { outcome: 'dropped' } };
  expect((await operator.send('POST', '/v1/internal/set-aside', answer)).status).toBe(403);
});
