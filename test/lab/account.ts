import { setTimeout as sleep } from 'node:timers/promises';
import { Consumer } from '@platformatic/kafka';
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
  const broken: string[] = [];
  let stored = 0;
  for (const each of load.devices) {
    const records = await storedRecords(ask, each.device.id, load.startAt);
    stored += records.length;
    broken.push(...comparePositions(each, records, streamed.ids));
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
  readonly attempts: number;
}

/** What a device has received agrees with what the API says of each command. */
function compareCommands({ commands, devices }: Load, ends: ReadonlyMap<string, CommandEnd>): string[] {
  const received = new Map(devices.map((each) => [each.device.id, each.received]));
  return commands.flatMap(({ id, imei, text, isOnce }) => {
    const times = received.get(imei)?.get(text) ?? 0;
    const { status, attempts } = ends.get(id)!;
    return [
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

/** Ids of all records of the topic, and how many records there are. */
async function streamedIds(installation: Installation): Promise<{ ids: ReadonlySet<string>; records: number }> {
  const bootstrapBrokers = installation.brokers().split(',');
  const consumer = new Consumer({ clientId: 'account', groupId: 'account', bootstrapBrokers });
  const ends = (await consumer.listOffsets({ topics: [TOPIC] })).get(TOPIC)!;
  const count = ends.reduce((sum, end) => sum + Number(end), 0);
  await consumer.close();
  // read by the consumer that comes with Kafka
  const records = count === 0 ? [] : await installation.kafka.read(TOPIC, count);
  return { ids: new Set(records.map(({ headers }) => headers['id']!)), records: records.length };
}
