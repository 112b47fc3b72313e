import { setTimeout as sleep } from 'node:timers/promises';
import { Consumer } from '@platformatic/kafka';
import pg from 'pg';
import { unpackKeys } from '../../src/server/ingest/feed/keys.ts';
import { KEY } from '../support/processes.ts';
import { type Installation, TOPIC } from './installation.ts';
import type { LabCommand, LabDevice, Load } from './load.ts';

const FINAL = new Set(['acknowledged', 'failed', 'expired', 'unknown', 'cancelled']);
const DAY_MS = 86_400_000;

/** What became of everything: each list is empty where no promise was broken. */
export interface Account {
  readonly acknowledged: number;
  readonly stored: number;
  readonly streamed: number;
  readonly repeated: number;
  readonly commands: Readonly<Record<string, number>>;
  readonly accepted: number;
  readonly broken: readonly string[];
}

interface StoredRecord {
  readonly id: string;
  readonly fixTime?: string;
}

/** Waits until spools, stream and commands are at rest, and compares what each side has. */
export async function takeAccount(installation: Installation, load: Load, streamId: string): Promise<Account> {
  const ask = asking(installation.url);
  for (const { process } of installation.gateways) {
    while ((await process.metric('fleetgate_spool_lag_seconds').catch(() => 1)) > 0) await sleep(200);
  }
  const states = await finalStates(ask, load.commands);
  while ((await ask<{ lagRecords: number }>(`/v1/streams/${streamId}`)).lagRecords > 0) await sleep(500);
  const streamed = await streamedIds(installation);
  const order = await storedOrder(installation);
  const broken: string[] = [];
  let stored = 0;
  for (const each of load.devices) {
    const records = await storedRecords(ask, each.device.id, load.startAt);
    stored += records.length;
    broken.push(...comparePositions(each, records, streamed.ids));
    broken.push(
      ...compareOrder(each.device.id, order.get(each.device.id) ?? [], streamed.devices.get(each.device.id) ?? []),
    );
  }
  broken.push(...compareCommands(load, states));
  const counts: Record<string, number> = {};
  for (const { status } of states.values()) counts[status] = (counts[status] ?? 0) + 1;
  return {
    acknowledged: load.acknowledged,
    stored,
    streamed: streamed.ids.size,
    repeated: streamed.records - streamed.ids.size,
    commands: counts,
    accepted: load.commands.length,
    broken,
  };
}

/** Acknowledged, stored and streamed are the same positions. */
function comparePositions(
  { device, acknowledged }: LabDevice,
  records: readonly StoredRecord[],
  streamed: ReadonlySet<string>,
): string[] {
  const times = records.flatMap(({ fixTime }) => (fixTime === undefined ? [] : [Date.parse(fixTime)]));
  const distinct = new Set(times);
  const lost = [...acknowledged].filter((time) => !distinct.has(time)).length;
  const missing = records.filter(({ id }) => !streamed.has(id)).length;
  return [
    ...(lost > 0 ? [`${device.id}: ${lost} positions were acknowledged and are not stored`] : []),
    ...(times.length > distinct.size
      ? [`${device.id}: ${times.length - distinct.size} positions are stored twice`]
      : []),
    ...(missing > 0 ? [`${device.id}: ${missing} positions were not streamed`] : []),
  ];
}

interface CommandEnd {
  readonly status: string;
  /** since the last reset */
  readonly attempts: number;
  readonly history: readonly { readonly to: string | null; readonly reason: string }[];
}

/** Attempts of all its life: a reset begins to count them again. */
const attemptsOf = ({ attempts, history }: CommandEnd): number =>
  history.some(({ reason }) => reason === 'reset') ? history.filter(({ to }) => to === 'sending').length : attempts;

/** What a device has received agrees with what the API says of each command. */
function compareCommands({ commands, devices }: Load, ends: ReadonlyMap<string, CommandEnd>): string[] {
  const received = new Map(devices.map((each) => [each.device.id, each.received]));
  return commands.flatMap(({ id, imei, text, isOnce, resets }) => {
    const times = received.get(imei)?.get(text) ?? 0;
    const end = ends.get(id)!;
    const { status } = end;
    const attempts = attemptsOf(end);
    const wasReset = end.history.filter(({ to, reason }) => to !== null && reason === 'reset').length;
    return [
      ...(wasReset > resets ? [`${id} was reset ${wasReset} times, and was asked for ${resets}`] : []),
      ...(status === 'acknowledged' && times === 0 ? [`${id} is acknowledged and was never received`] : []),
      ...(isOnce && times > 1 ? [`${id} is at_most_once and was received ${times} times`] : []),
      ...(times > attempts ? [`${id} was received ${times} times, and counts ${attempts} attempts`] : []),
      ...(FINAL.has(status) ? [] : [`${id} is still ${status}`]),
    ];
  });
}

type Ask = <T>(path: string) => Promise<T>;

const asking =
  (url: string): Ask =>
  async <T>(path: string) => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${KEY}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  };

/** s that open commands may take after the last fault */
const REST_SECONDS = 240;

async function finalStates(ask: Ask, commands: readonly LabCommand[]): Promise<Map<string, CommandEnd>> {
  const ends = new Map<string, CommandEnd>();
  const until = performance.now() + 1000 * REST_SECONDS;
  for (const { id } of commands) {
    for (;;) {
      const end = await ask<CommandEnd>(`/v1/gprsCommands/${id}`);
      ends.set(id, end);
      if (FINAL.has(end.status) || performance.now() > until) break;
      await sleep(500);
    }
  }
  return ends;
}

async function storedRecords(ask: Ask, imei: string, from: number): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  let cursor = '';
  for (;;) {
    const range = `from=${from - 1}&to=${from + DAY_MS}&limit=500`;
    const page = await ask<{ items: StoredRecord[]; nextCursor: string | null }>(
      `/v1/devices/${imei}/positions?${range}${cursor}`,
    );
    records.push(...page.items);
    if (page.nextCursor === null) return records;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

/** Ids in the order in which they were stored, by device. */
async function storedOrder({ databaseUrl }: Installation): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=fleetgate' });
  await client.connect();
  try {
    const { rows } = await client.query<{ keys: Buffer }>(
      `select keys from feed where kind = 'positions' order by xid, seq`,
    );
    const devices = await client.query<{ id: string; imei: string }>('select id, imei from device');
    const names = new Map(devices.rows.map(({ id, imei }) => [Number(id), imei]));
    const order = new Map<string, string[]>();
    for (const { deviceId, id } of rows.flatMap(({ keys }) => unpackKeys(keys))) {
      const name = names.get(deviceId)!;
      const ids = order.get(name);
      if (ids === undefined) order.set(name, [id]);
      else ids.push(id);
    }
    return order;
  } finally {
    await client.end();
  }
}

/** Positions of a device have to arrive first in the order in which they were stored. */
function compareOrder(device: string, stored: readonly string[], streamed: readonly string[]): string[] {
  const known = new Set(streamed);
  const expected = stored.filter((id) => known.has(id));
  const isKept = new Set(expected);
  // entries of the feed are deleted after an hour
  const arrived = streamed.filter((id) => isKept.has(id));
  const wrong = expected.findIndex((id, n) => id !== arrived[n]);
  return wrong === -1 ? [] : [`${device}: position ${wrong + 1} was streamed in another order than it was stored in`];
}

/** Ids of all records of the topic, of each device in the order in which they arrived first, and how many records there are. */
async function streamedIds(installation: Installation): Promise<{
  readonly ids: ReadonlySet<string>;
  readonly devices: ReadonlyMap<string, readonly string[]>;
  readonly records: number;
}> {
  const bootstrapBrokers = installation.brokers().split(',');
  const consumer = new Consumer({ clientId: 'account', groupId: 'account', bootstrapBrokers });
  const ends = (await consumer.listOffsets({ topics: [TOPIC] })).get(TOPIC)!;
  const count = ends.reduce((sum, end) => sum + Number(end), 0);
  await consumer.close();
  // read by the consumer that comes with Kafka
  const records = count === 0 ? [] : await installation.kafka.read(TOPIC, count, 0, false);
  const ids = new Set<string>();
  const devices = new Map<string, string[]>();
  for (const { key, headers } of records) {
    const id = headers['id']!;
    if (ids.has(id)) continue;
    ids.add(id);
    const own = devices.get(key);
    if (own === undefined) devices.set(key, [id]);
    else own.push(id);
  }
  return { ids, devices, records: records.length };
}
