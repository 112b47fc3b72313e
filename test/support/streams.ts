import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { CloudEvent, HTTP } from 'cloudevents';
import { expect } from 'vitest';
import type { Answer, RunningApi } from './api.ts';
import { positionEvent } from './positions.ts';
import type { Received } from './receivers.ts';

const KINDS = ['position', 'alarm', 'session', 'command', 'notification', 'test'];
const ajv = new Ajv2020({ strict: false, allErrors: true });
(formats as unknown as (one: Ajv2020) => void)(ajv);
for (const kind of ['event', ...KINDS]) {
  ajv.addSchema(JSON.parse(readFileSync(`docs/streams/${kind}.schema.json`, 'utf8')) as object);
}

export interface Event {
  readonly id: string;
  readonly type: string;
  readonly source: string;
  readonly subject?: string;
  readonly dataschema: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any;
}

/** An event that the SDK of CloudEvents and the published JSON Schema accept. */
export function readEvent(text: string): Event {
  const event = new CloudEvent(JSON.parse(text) as object, true).toJSON() as unknown as Event;
  const validate = ajv.getSchema(event.dataschema);
  if (validate === undefined) throw new Error(`there is no schema ${event.dataschema}`);
  // the id of a device is `imei` in every event
  if (text.includes('"deviceId"')) throw new Error(`${text}: deviceId`);
  if (validate(JSON.parse(text)) !== true) throw new Error(`${text}: ${ajv.errorsText(validate.errors)}`);
  return event;
}

/** Events of a request, read by the SDK of CloudEvents. */
export function readBatch({ headers, body }: Received): Event[] {
  const events = HTTP.toEvent({ headers, body: body.toString() });
  if (!Array.isArray(events)) throw new Error('not a batch');
  for (const event of JSON.parse(body.toString()) as object[]) readEvent(JSON.stringify(event));
  return events.map((event) => (event as CloudEvent<unknown>).toJSON() as unknown as Event);
}

export const createStream = (api: RunningApi, over: object): Promise<Answer> =>
  api.send('POST', '/v1/streams', { name: 'test', type: 'http', kinds: ['position'], ...over });

let seq = 1;
/** Stores positions of a device; their ids in the order in which they were sent. */
export async function drive(
  api: RunningApi,
  imei: string,
  numbers: readonly number[],
  attributes?: Readonly<Record<string, string>>,
): Promise<void> {
  const first = seq;
  seq += numbers.length;
  const lines = numbers.map((number, at) => ({
    ...positionEvent(imei, number, attributes === undefined ? {} : { attributes }),
    seq: first + at,
  }));
  const answer = await api.events(lines, 'spool-streams');
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}

/** Ids of stored positions of a device, oldest first. */
export async function storedIds(api: RunningApi, imei: string): Promise<string[]> {
  const { body } = await api.get(`/v1/devices/${imei}/positions?limit=500`);
  return (body.items as { id: string }[]).map(({ id }) => id);
}

/** Ids, each at its first occurrence. */
export const firstOf = (ids: readonly string[]): string[] => [...new Set(ids)];

/** Positions of several devices, in several requests. */
export async function driveAll(api: RunningApi, names: readonly string[], from: number, count: number): Promise<void> {
  for (let at = 0; at < count; at += 50) {
    const numbers = Array.from({ length: Math.min(50, count - at) }, (_, n) => from + at + n);
    for (const name of names) await drive(api, name, numbers);
  }
}

/** For each device the ids that arrived, each at its first occurrence, are those that are stored, in order. */
export async function expectAll(
  api: RunningApi,
  names: readonly string[],
  arrived: readonly { readonly device: string; readonly id: string }[],
): Promise<void> {
  for (const name of names) {
    const ids = arrived.flatMap(({ device, id }) => (device === name ? [id] : []));
    expect(firstOf(ids), name).toEqual(await storedIds(api, name));
  }
}
