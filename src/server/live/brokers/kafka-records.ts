import {
  type API,
  crc32c,
  createAPI,
  DynamicBuffer,
  produceV7,
  produceV8,
  produceV9,
  produceV10,
  produceV11,
  type ResponseParser,
  Writer,
} from '@platformatic/kafka';
import { systemClock } from '../../../platform/clock.ts';

/**
 * Encodes records in the wire format, one buffer per record. The client creates about twenty buffers per record and
 * is several times slower. https://kafka.apache.org/documentation/#recordbatch
 */
export interface Encodable {
  readonly key: string | undefined;
  readonly value: string | Buffer;
  /** names and values alternately */
  readonly headers: readonly (string | Buffer)[];
}

const bytesOf = (part: string | Buffer): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length);

/** The part of a record that does not depend on its batch: key, value and headers. */
export function encodeRecord({ key, value, headers }: Encodable): Buffer {
  const count = headers.length / 2;
  const lengths = (key === undefined ? [value, ...headers] : [key, value, ...headers]).map(bytesOf);
  let size = sizeOf(count) + (key === undefined ? sizeOf(-1) : 0);
  for (const length of lengths) size += sizeOf(length) + length;
  const record = Buffer.allocUnsafe(size);
  let at = 0;
  let next = 0;
  const append = (part: string | Buffer): void => {
    at = writeVarint(record, at, lengths[next++]!);
    at += typeof part === 'string' ? record.write(part, at) : part.copy(record, at);
  };
  if (key === undefined) at = writeVarint(record, at, -1);
  else append(key);
  append(value);
  at = writeVarint(record, at, count);
  for (const part of headers) append(part);
  return record;
}

/** Zigzag: small negative numbers are short too. */
const zigzag = (value: number): number => ((value << 1) ^ (value >> 31)) >>> 0;

function sizeOf(value: number): number {
  let size = 1;
  for (let left = zigzag(value) >>> 7; left > 0; left >>>= 7) size++;
  return size;
}

function writeVarint(bytes: Buffer, at: number, value: number): number {
  let left = zigzag(value);
  for (; left > 0x7f; left >>>= 7) bytes[at++] = (left & 0x7f) | 0x80;
  bytes[at++] = left;
  return at;
}

/** size of the batch header */
const HEAD_BYTES = 61;
/** start of the bytes that the checksum covers */
const ATTRIBUTES_AT = 21;
const CRC_AT = 17;
const MAGIC = 2;

export interface BatchOptions {
  /** epoch ms of all records */
  readonly timestamp: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly firstSequence: number;
}

/** A record batch of encoded records. Attributes and differences of the timestamp are 0. */
export function encodeBatch(records: readonly Buffer[], options: BatchOptions): Buffer {
  const lengths = records.map((record, n) => 2 + sizeOf(n) + record.length);
  const size = lengths.reduce((sum, length) => sum + sizeOf(length) + length, HEAD_BYTES);
  const batch = Buffer.allocUnsafe(size);
  const { timestamp, producerId, producerEpoch, firstSequence } = options;
  batch.writeBigInt64BE(0n, 0);
  batch.writeInt32BE(size - 12, 8);
  batch.writeInt32BE(0, 12);
  batch[16] = MAGIC;
  batch.writeInt16BE(0, ATTRIBUTES_AT);
  batch.writeInt32BE(records.length - 1, 23);
  batch.writeBigInt64BE(BigInt(timestamp), 27);
  batch.writeBigInt64BE(BigInt(timestamp), 35);
  batch.writeBigInt64BE(producerId, 43);
  batch.writeInt16BE(producerEpoch, 51);
  batch.writeInt32BE(firstSequence, 53);
  batch.writeInt32BE(records.length, 57);
  let at = HEAD_BYTES;
  for (const [n, record] of records.entries()) {
    at = writeVarint(batch, at, lengths[n]!);
    batch[at++] = 0;
    batch[at++] = 0;
    at = writeVarint(batch, at, n);
    at += record.copy(batch, at);
  }
  batch.writeUInt32BE(crc32c(new DynamicBuffer(batch.subarray(ATTRIBUTES_AT))), CRC_AT);
  return batch;
}

interface Encoded {
  readonly topic: string;
  readonly partition: number;
  readonly value: Buffer;
}

interface RequestOptions {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly sequences: { getWithDefault(partition: string, value: number): number };
}

/** The first version with compact arrays and texts. */
const COMPACT = 9;
const PRODUCE = 0;

/** A Produce request (https://kafka.apache.org/protocol#The_Messages_Produce) of encoded records. */
function requestOf(
  head: { readonly version: number; readonly acks: number; readonly timeoutMs: number; readonly timestamp: number },
  records: readonly Encoded[],
  options: RequestOptions,
): Writer {
  const { version, acks, timeoutMs, timestamp } = head;
  const isCompact = version >= COMPACT;
  const topics = new Map<string, Map<number, Buffer[]>>();
  for (const { topic, partition, value } of records) {
    let partitions = topics.get(topic);
    if (partitions === undefined) {
      partitions = new Map();
      topics.set(topic, partitions);
    }
    const list = partitions.get(partition);
    if (list === undefined) partitions.set(partition, [value]);
    else list.push(value);
  }
  const { producerId, producerEpoch, sequences } = options;
  const writer = Writer.create().appendString(undefined, isCompact).appendInt16(acks).appendInt32(timeoutMs);
  writer.appendArray(
    [...topics],
    (w, [topic, partitions]) => {
      w.appendString(topic, isCompact).appendArray(
        [...partitions],
        (inner, [partition, list]) => {
          const firstSequence = sequences.getWithDefault(`${topic}:${partition}`, 0);
          const batch = encodeBatch(list, { timestamp, producerId, producerEpoch, firstSequence });
          inner.appendInt32(partition);
          if (isCompact) inner.appendUnsignedVarInt(batch.length + 1);
          else inner.appendInt32(batch.length);
          inner.append(batch);
        },
        isCompact,
        isCompact,
      );
    },
    isCompact,
    isCompact,
  );
  return isCompact ? writer.appendTaggedFields() : writer;
}

const PARSERS = new Map<number, ResponseParser<unknown>>(
  [produceV7, produceV8, produceV9, produceV10, produceV11].map(({ api, parseResponse }) => [
    api.version,
    parseResponse,
  ]),
);

/** The call of the client for a version of Produce, with encoded records. */
export function produceApi(version: number): API<unknown[], unknown> | undefined {
  const parse = PARSERS.get(version);
  if (parse === undefined) return undefined;
  const isCompact = version >= COMPACT;
  const request = (
    acks: number,
    timeoutMs: number,
    records: readonly Encoded[],
    options: RequestOptions,
    timestamp = systemClock.now(),
  ): Writer => requestOf({ version, acks, timeoutMs, timestamp }, records, options);
  return createAPI(PRODUCE, version, request, parse, isCompact, isCompact);
}
