import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandWorld, openCommands } from '../integration/api/commands/support.ts';
import type { RunningApi } from '../support/api.ts';
import { positionEvent } from '../support/positions.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely
type Json = any;

/** Client libraries of Traccar's interface, as the npm registry has them. */
const CLIENTS = [
  { name: 'traccar-api', version: '1.0.5' },
  { name: 'traccar-api-client', version: '4.5.0' },
];
const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'interop', 'traccar');
const PASSWORD = 'correct horse battery';
const START = Date.UTC(2026, 4, 1, 8);
const isWanted = process.env['FLEETGATE_INTEROP'] !== undefined || process.env['FLEETGATE_TEST_ALL'] !== undefined;
if (!isWanted) process.stdout.write('left out: client libraries for Traccar (npm run interop installs them)\n');

describe.skipIf(!isWanted)('client libraries for Traccar', () => {
  let world: CommandWorld;
  let api: RunningApi;
  beforeAll(async () => {
    mkdirSync(FOLDER, { recursive: true });
    const names = CLIENTS.map(({ name, version }) => `${name}@${version}`);
    const options = ['--prefix', FOLDER, '--no-audit', '--no-fund', '--ignore-scripts'];
    const { status, stderr } = spawnSync('npm', ['install', ...options, ...names], { cwd: FOLDER, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    world = await openCommands({ COMPAT_TRACCAR: true });
    api = world.api;
    const user = { username: 'boss', role: 'admin', password: PASSWORD, email: 'boss@example.org', allVehicles: true };
    expect((await api.send('POST', '/v1/users', user)).status).toBe(200);
  }, 600_000);
  afterAll(() => world?.stop());

  /** Twenty minutes north at 53 km/h, then ten at a stop. */
  async function drive(imei: string): Promise<void> {
    const events = Array.from({ length: 60 }, (_, n) => {
      const at = new Date(START + n * 30_000).toISOString();
      const isOn = n < 40;
      const position = { deviceTime: at, fixTime: at, serverTime: at, longitude: 9, speed: isOn ? 53 : 0 };
      const latitude = 45 + Math.min(n, 40) * 0.004;
      return positionEvent(imei, n, { ...position, latitude, protocol: 'gt06', attributes: { ignition: isOn } });
    });
    expect((await api.events(events, imei)).body.rejected).toEqual([]);
  }

  test.each(CLIENTS)(
    '$name logs in, reads, changes, reports and sends a command',
    async ({ name }) => {
      const uniqueId = `86000000000000${CLIENTS.findIndex((client) => client.name === name)}`;
      const targa = `CL${uniqueId.slice(-3)}`;
      await api.send('POST', '/v1/devices', { imei: uniqueId, name: targa });
      await api.send('POST', '/v1/vehicles', { targa });
      await api.send('POST', '/v1/pairings', { targa, imei: uniqueId, from: '2026-04-01T00:00:00Z' });
      await drive(uniqueId);
      const task = {
        email: 'boss@example.org',
        password: PASSWORD,
        name,
        uniqueId,
        from: '2026-05-01T00:00:00Z',
        to: '2026-05-02T00:00:00Z',
      };
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'tools', 'traccar.cjs'), name, `${api.url}/api`, JSON.stringify(task)],
        { env: { ...process.env, NODE_PATH: join(FOLDER, 'node_modules') }, timeout: 300_000 },
      );
      const [answer, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect(answer, errors).not.toBe('');
      const found: Json = JSON.parse(answer);

      expect(found.session).toMatchObject({ email: 'boss@example.org', administrator: true });
      expect(found.server).toMatchObject({ id: 1, registration: false });
      expect(found.device).toMatchObject({ name, groupId: found.group.id, contact: 'Anna', category: 'van' });
      const device = found.devices.find((each: Json) => each.uniqueId === uniqueId);
      expect(device).toMatchObject({ name: targa, id: expect.any(Number) });
      expect(found.left.map(({ id }: Json) => id)).not.toContain(found.device.id);
      expect(found.left.map(({ id }: Json) => id)).toContain(device.id);

      expect(found.positions).toHaveLength(60);
      expect(found.positions.map(({ fixTime }: Json) => Date.parse(fixTime))).toEqual(
        Array.from({ length: 60 }, (_, n) => START + n * 30_000),
      );
      expect(found.positions[39]).toMatchObject({ deviceId: device.id, longitude: 9, valid: true, protocol: 'gt06' });
      expect(found.positions[39].latitude).toBeCloseTo(45.156, 6);
      // knots
      expect(found.positions[39].speed).toBeCloseTo(28.6, 1);
      expect(found.latest).toEqual([found.positions[59]]);
      expect(found.Route).toHaveLength(60);
      expect(found.Trips).toHaveLength(1);
      expect(found.Trips[0]).toMatchObject({ deviceId: device.id, deviceName: targa });
      expect(Date.parse(found.Trips[0].startTime)).toBe(START);
      // 40 steps of 0.004°
      expect(Math.abs(found.Trips[0].distance - 17_791)).toBeLessThan(100);
      expect(found.Stops).toMatchObject([{ deviceId: device.id }]);
      expect(found.Summary).toMatchObject([{ deviceId: device.id, distance: found.Trips[0].distance }]);
      expect(found.Events).toEqual([]);

      expect(found.geofence).toMatchObject({ name, area: 'CIRCLE (45.1 9.2, 250)' });
      expect(found.geofences.map(({ id }: Json) => id)).toContain(found.geofence.id);
      expect(found.driver).toMatchObject({ name, uniqueId: `driver ${uniqueId}` });
      expect(found.commandTypes.map(({ type }: Json) => type)).toEqual(
        expect.arrayContaining(['custom', 'engineStop']),
      );
      expect(found.command).toMatchObject({ deviceId: device.id, type: 'custom' });
      const { items } = (await api.get(`/v1/gprsCommands/?imei=${uniqueId}`)).body;
      expect(items).toMatchObject([{ gprsCommand: 'WHERE#' }]);
      expect(found.notificationTypes).toContainEqual(expect.objectContaining({ type: 'geofenceEnter' }));
      expect(found.users.map(({ id }: Json) => id)).toContain(found.user.id);
      // what the link has given to the new user
      const authorization = `Basic ${Buffer.from(`${uniqueId}@example.org:${PASSWORD}`).toString('base64')}`;
      expect((await api.get('/api/devices', { authorization })).body.map(({ id }: Json) => id)).toEqual([device.id]);
    },
    300_000,
  );
});
