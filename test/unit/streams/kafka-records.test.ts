import { createRecordsBatch, NumericMap, produceV8, produceV11 } from '@platformatic/kafka';
import { expect, test } from 'vitest';
import { encodeBatch, encodeRecord, produceApi } from '../../../src/server/live/brokers/kafka-records.ts';

const bytes = (length: number): Buffer => Buffer.alloc(length, 'x');
/** as what is sent: a key and texts that may need more bytes than they have characters */
const text = (length: number): string => 'é€x'.repeat(length).slice(0, length);
/** lengths on both sides of where another byte is needed */
const LENGTHS = [0, 1, 63, 64, 8_191, 8_192, 70_000];
const records = LENGTHS.flatMap((length) => [
  { key: '', value: bytes(length), headers: [] },
  { key: text(15), value: text(length), headers: [text(2), bytes(22), bytes(4), text(length)] },
]);
const many = Array.from({ length: 300 }, (_, n) => records[n % 2]!);
const timestamp = 1_790_000_000_000;
const producer = { producerId: 4_000_000_000n, producerEpoch: 7 };
/** the same records as the client takes them */
const messages = (list: typeof records, place = { topic: 'all', partition: 3 }) =>
  list.map(({ key, value, headers }) => ({
    ...place,
    key: Buffer.from(key),
    value: Buffer.from(value),
    headers: new Map(
      headers.flatMap((name, n) => (n % 2 === 0 ? [[Buffer.from(name), Buffer.from(headers[n + 1]!)] as const] : [])),
    ),
    timestamp: BigInt(timestamp),
  }));

test('a batch has the bytes that the client makes', () => {
  for (const list of [records, many, records.slice(0, 1)]) {
    const own = encodeBatch(list.map(encodeRecord), { timestamp, ...producer, firstSequence: 0 });
    const other = createRecordsBatch(messages(list) as never, producer);
    expect(own.equals(other.buffer)).toBe(true);
  }
});

test('a record without a key has length -1 there (KIP-98), for which the client writes an empty key', () => {
  const record = encodeRecord({ key: undefined, value: bytes(1), headers: [] });
  expect(record.toString('hex')).toBe('01027800');
});

test('a request has the bytes that the client makes, in each form of it', () => {
  const places = [
    { topic: 'all', partition: 0 },
    { topic: 'all', partition: 3 },
    { topic: 'other', partition: 3 },
  ];
  const sequences = new NumericMap();
  sequences.postIncrement('all:3', 12, 0);
  const options = { ...producer, sequences };
  for (const { api, createRequest } of [produceV8, produceV11]) {
    let own: Buffer | undefined;
    const connection = {
      send: (_key: number, _version: number, create: () => { buffer: Buffer }) => {
        own = create().buffer;
      },
    };
    const encoded = places.map((place) => ({ ...place, value: encodeRecord(records[1]!) }));
    produceApi(api.version)!(connection as never, -1, 15_000, encoded, options, timestamp);
    const other = createRequest(
      -1,
      15_000,
      places.flatMap((place) => messages([records[1]!], place)) as never,
      options as never,
    );
    expect(own!.equals(other.buffer)).toBe(true);
  }
});
