import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DownlinkLine } from '../../../src/contract/events.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { createDatabase, dropDatabases } from '../../support/databases.ts';

let api: RunningApi;
beforeAll(async () => {
  api = await startApi(await createDatabase());
});
afterAll(async () => {
  await api?.stop();
  await dropDatabases();
});

const link = { protocol: 'example', transport: 'tcp', remote: '203.0.113.7:4711' } as const;
const opened = (imei: string, conn: string, at: number, protocol = 'example') => ({
  ...link,
  type: 'session-opened',
  imei,
  conn,
  at,
  ids: [imei],
  protocol,
});

/** Devices as a gateway receives them when it connects. */
async function deviceList(): Promise<Extract<DownlinkLine, { type: 'devices' }>['devices']> {
  const { body } = await request(`${api.url}/v1/internal/downlink`, { headers: await api.gateway() });
  let text = '';
  for await (const chunk of body) {
    text += chunk;
    if (text.includes('"devices-end"')) break;
  }
  const lines = text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as DownlinkLine);
  return lines.flatMap((line) => (line.type === 'devices' ? line.devices : []));
}

describe('the protocol of a device', () => {
  test('is that of its first session, reaches the gateways, and can be cleared', async () => {
    await api.send('POST', '/v1/devices', { imei: 'P-1' });
    await api.events([opened('P-1', 'run.1', 1_000), opened('P-1', 'run.2', 2_000, 'other')], 'pins');
    expect((await api.get('/v1/devices/P-1')).body).toMatchObject({ pinnedProtocol: 'example', protocol: 'other' });
    await api.events([opened('P-1', 'run.3', 3_000, 'other')], 'pins2');
    expect(await deviceList()).toContainEqual({ imei: 'P-1', protocol: 'example' });
    const cleared = await api.send('PATCH', '/v1/devices/P-1', { pinnedProtocol: null });
    expect(cleared.body).toMatchObject({ pinnedProtocol: null });
    await api.events([opened('P-1', 'run.4', 4_000, 'other')], 'pins3');
    expect((await api.get('/v1/devices/P-1')).body).toMatchObject({ pinnedProtocol: 'other' });
  });
});

describe('security options', () => {
  test('of a tenant apply to its devices without own options, and end the streams of the gateways', async () => {
    await api.send('POST', '/v1/devices', { imei: 'T-1' });
    await api.send('POST', '/v1/devices', { imei: 'T-2', options: { networks: '192.0.2.0/24', model: 'x' } });
    const { body } = await request(`${api.url}/v1/internal/downlink`, { headers: await api.gateway('other') });
    const deviceOptions = { networks: '10.0.0.0/8', takeover: 'oldest' };
    const changed = await api.send('PATCH', '/v1/tenants/default', { deviceOptions });
    expect(changed.body).toMatchObject({ deviceOptions });
    // the gateway connects again and reads the whole list
    for await (const _ of body);
    const devices = await deviceList();
    expect(devices).toContainEqual({ imei: 'T-1', options: deviceOptions });
    expect(devices).toContainEqual({
      imei: 'T-2',
      options: { networks: '192.0.2.0/24', model: 'x', takeover: 'oldest' },
    });
    await api.send('PATCH', '/v1/tenants/default', { deviceOptions: {} });
    expect(await deviceList()).toContainEqual({ imei: 'T-1' });
  });

  test.each([
    { networks: '10.0.0.0/33' },
    { networks: 'everywhere' },
    { takeover: 'first' },
    { pinProtocol: 'yes' },
    { requireCertificate: 1 },
    { loginPassword: 7 },
  ])('that are not valid are refused: %j', async (options) => {
    expect((await api.send('POST', '/v1/devices', { imei: 'V-1', options })).status).toBe(422);
    if ('loginPassword' in options) return;
    expect((await api.send('PATCH', '/v1/tenants/default', { deviceOptions: options })).status).toBe(422);
  });
});

describe('alarms', () => {
  test('of takeovers and refused logins are in the timeline; a refused login does not count as contact with the device', async () => {
    await api.send('POST', '/v1/devices', { imei: 'A-1' });
    const at = Date.now();
    const previous = { ...link, conn: 'run.1', remote: '10.0.0.1:5' };
    const answer = await api.events(
      [
        { ...link, type: 'session-taken-over', imei: 'A-1', conn: 'run.2', at: at + 1_000, previous },
        { ...link, type: 'login-refused', imei: 'A-1', conn: 'run.3', at: at + 2_000, reason: 'network' },
      ],
      'alarms',
    );
    expect(answer.body).toMatchObject({ rejected: [] });
    const from = encodeURIComponent(new Date(at).toISOString());
    expect((await api.get(`/v1/devices/A-1/timeline?from=${from}`)).body.items).toMatchObject([
      { kind: 'session-taken-over', conn: 'run.2', remote: link.remote, detail: { previous } },
      { kind: 'login-refused', conn: 'run.3', remote: link.remote, detail: { reason: 'network' } },
    ]);
    expect((await api.get('/v1/devices/A-1')).body).toMatchObject({ state: 'offline', lastSeenAt: null });
  });
});

describe('the sample of unadmitted frames', () => {
  const frame = { ...link, at: Date.now(), conn: 'run.9', reason: 'unidentified', size: 300, bytes: 'JCQB' };
  const report = async (unadmittedFrames: readonly object[]) =>
    api.send('POST', '/v1/internal/presence', { clock: Date.now(), unadmittedFrames }, await api.gateway());

  test('is listed as the gateway has reported it last', async () => {
    expect((await report([frame, { ...frame, conn: 'run.10', reason: 'refused', imei: '77' }])).status).toBe(200);
    const { items } = (await api.get('/v1/unadmitted-frames')).body;
    expect(items).toMatchObject([
      { conn: 'run.10', reason: 'refused', imei: '77' },
      { conn: 'run.9', reason: 'unidentified', imei: null, hex: '242401', size: 300, remote: link.remote },
    ]);
    await report([]);
    expect((await api.get('/v1/unadmitted-frames')).body.items).toEqual([]);
  });

  test('causes no WAL', async () => {
    const { rows } = await api.database.ingest.query(
      `select relpersistence as kept from pg_class where oid = 'fleetgate.unadmitted_frame'::regclass`,
    );
    expect(rows).toEqual([{ kept: 'u' }]);
  });
});
