import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { call, PASSWORD } from './console.ts';
import type { System } from './system.ts';
import { cardFile, datesFrom, dayOf, ordinary } from './tachograph.ts';
import { Trackers } from './trackers.ts';

const DAY_MS = 86_400_000;
const FIRST_DEVICE = 840;
export const PLATE = 'PA100GE';
const GROUP = 'Refrigerated deliveries Lombardy and Piedmont';
/** The simulated journeys begin yesterday at 10 UTC: on the same day in most zones. */
const START = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS + 36_000_000;
export const DAY = new Date(START).toISOString().slice(0, 10);
const MONTH = DAY.slice(0, 7);
/** of users of these names, who see all vehicles */
export const ROLES = ['manager', 'dispatcher', 'viewer'] as const;
const ROUTER = join(import.meta.dirname, '..', '..', 'web', 'src', 'router.tsx');
/** `/console/` followed by the path of each page, as web/src/router.tsx names them. */
const PATHS = [...readFileSync(ROUTER, 'utf8').matchAll(/\bpath: '\/([^']+)'/g)].map(([, path]) => path!);

/** What a page of this path needs in the URL to have content. */
const FILLED: Readonly<Record<string, string>> = {
  map: `map?vehicle=${PLATE}`,
  'vehicles/$targa': `vehicles/${PLATE}?day=${DAY}`,
  'devices/setup': 'devices/setup?protocol=teltonika',
  alarms: 'alarms?state=all',
  'tachograph/payroll': `tachograph/payroll?month=${MONTH}`,
};

/** Something to see on every page. */
export interface ConsoleContent {
  /** of all pages, with the ids of what was created */
  readonly paths: readonly string[];
  /** the same by the path that the router has */
  readonly named: readonly { readonly name: string; readonly path: string }[];
  readonly imei: string;
  readonly trackers: Trackers;
  stop(): void;
}

export async function fillConsole(system: System): Promise<ConsoleContent> {
  const ids: Record<string, string> = {};
  const create = <T = { id: string }>(path: string, body: object, method = 'POST'): Promise<T> =>
    call<T>(system, method, path, body);
  const trackers = await Trackers.start(system, 1, FIRST_DEVICE, ['teltonika'], START);
  const imei = trackers.all[0]!.device.id;
  await vi.waitFor(() => system.get(`/v1/vehicles/${imei}/position`), { timeout: 60_000, interval: 200 });
  await create('/v1/groups', { name: GROUP });
  await create('/v1/vehicles', { targa: PLATE, group: GROUP });
  await create('/v1/pairings', { targa: PLATE, imei, from: new Date(START - DAY_MS).toISOString() });
  for (const role of ROLES) {
    const user = await create('/v1/users', { username: role, role, password: PASSWORD, allVehicles: true });
    ids['admin/users/$id'] = user.id;
  }
  await create('/v1/users', { username: 'driver', role: 'driver', password: PASSWORD });
  const corridor = {
    line: [
      [12.4, 41.85],
      [12.5, 41.9],
      [12.6, 41.88],
    ],
    widthM: 800,
  };
  const area = { type: 'polygon', corridor };
  await create('/v1/geofences', { name: 'Ring road', area });
  await create('/v1/geofences', { name: 'Depot', area: { type: 'circle', center: [12.48, 41.9], radiusM: 300 } });
  const params = { limitKmh: 20, area };
  const rule = { type: 'geofence_speed', users: ['admin', ...ROLES], vehicles: [PLATE], params };
  const made = { notification_data: { ...rule, description: 'Fast on the ring road' } };
  ids['rules/$id'] = (await create<{ notificationId: string }>('/v1/v1/notifications', made, 'PUT')).notificationId;
  const fast = { type: 'overspeed', users: ['admin', ...ROLES], vehicles: [PLATE], params: { limitKmh: 20 } };
  await create('/v1/v1/notifications', { notification_data: { ...fast, description: 'Too fast' } }, 'PUT');
  const text = 'setparam 2004:a-long-name-of-a-server.track.example.org;2005:5300;2006:0';
  const command = await create<{ commandId: string }>('/v1/gprsCommands/', { imei, gprsCommand: text });
  ids['commands/$id'] = command.commandId;
  ids['devices/$imei'] = imei;
  await create('/v1/streams', {
    name: 'nowhere',
    type: 'http',
    url: 'https://receiver.example.org/',
    kinds: ['session'],
  });
  await create('/v1/share-links', { targa: PLATE, until: Date.now() + DAY_MS, precisionM: 1_000 });
  const weekly = { every: 'week', day: 1, hour: 6, zone: 'Europe/Rome', language: 'it', format: 'xlsx' };
  const to = { recipients: ['office@example.org'], vehicles: null };
  await create('/v1/report-schedules', { name: 'Trips of the week', kind: 'trips', ...weekly, ...to });
  const card = cardFile({
    days: datesFrom(DAY, 1).map((date) => dayOf(date, ordinary)),
    lastDownload: Math.floor(Date.now() / 1_000),
  });
  const form = new FormData();
  form.append('file', new Blob([Buffer.from(card)]), 'card.ddd');
  const headers = { authorization: `Bearer ${system.key}` };
  const url = `http://127.0.0.1:${system.apiPort}/v1/drivers/ddd`;
  const stored = (await (await fetch(url, { method: 'POST', headers, body: form })).json()) as { fileId: string };
  ids['tachograph/files/$id'] = stored.fileId;
  await create('/v1/drivers/ddd/drivers', {});
  const employer = {
    name: 'Rossi S.p.A.',
    address: 'Via Roma 1, 00100 Roma',
    telephone: '+39 06 123456',
    fax: '+39 06 123457',
    email: 'office@example.org',
  };
  await create('/v1/drivers/ddd/settings', { employer }, 'PUT');
  const { items } = await call<{ items: { id: string }[] }>(system, 'GET', '/v1/drivers');
  ids['tachograph/drivers/$id'] = `${items[0]!.id}?month=${MONTH}`;

  const named = PATHS.map((name) => ({ name, path: FILLED[name] ?? name.replace(/\$\w+/, () => ids[name]!) }));
  return {
    named,
    paths: named.map(({ path }) => path),
    imei,
    trackers,
    stop: () => trackers.stop(),
  };
}
