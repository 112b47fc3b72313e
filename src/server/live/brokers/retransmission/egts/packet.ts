import { crc8Nrsc5, crc16CcittFalse, Reader, Writer } from '#codec';
import type { Cut } from '../link.ts';

// Facts: GOST R 54619-2011, clauses 5.6 (transport layer) and 6.6 (service layer).

export const PACKET = { response: 0, data: 1 } as const;
export const SERVICE = { authentication: 1, teledata: 2 } as const;
export const SUB_RECORD = {
  recordResponse: 0,
  terminalIdentity: 1,
  dispatcherIdentity: 5,
  authenticationParameters: 6,
  resultCode: 9,
  position: 16,
  extendedPosition: 17,
} as const;

const VERSION = 1;
const HEADER_BYTES = 11;
const ROUTED_HEADER_BYTES = 16;
const LOW_PRIORITY = 3;
const EPOCH_S = Date.UTC(2010, 0, 1) / 1_000;

export const secondsOf = (epochMs: number): number => Math.floor(epochMs / 1_000) - EPOCH_S;

export interface SubRecord {
  readonly type: number;
  readonly content: Uint8Array;
}

export interface ServiceRecord {
  readonly number: number;
  readonly service: number;
  readonly parts: readonly SubRecord[];
  /** OID */
  readonly object?: number | undefined;
  /** TM, epoch ms */
  readonly time?: number | undefined;
  /** the record is of the terminal, not of a server (SSOD) */
  readonly isOfTerminal?: boolean;
}

export interface Packet {
  readonly id: number;
  readonly type: number;
  readonly data: Uint8Array;
}

export function packetBytes({ id, type, data }: Packet): Uint8Array {
  const head = new Writer(HEADER_BYTES).u8(VERSION).u8(0).u8(LOW_PRIORITY).u8(HEADER_BYTES).u8(0);
  head.u16LE(data.length).u16LE(id).u8(type);
  const checksum = crc8Nrsc5(head.finish(), 0, head.length);
  const packet = new Writer(HEADER_BYTES + data.length + 2).raw(head.finish()).u8(checksum).raw(data);
  return packet.u16LE(crc16CcittFalse(data)).finish();
}

const FLAG = { object: 0x01, time: 0x04, priority: LOW_PRIORITY << 3, ofTerminal: 0x80 };

export function recordBytes({ number, service, parts, object, time, isOfTerminal }: ServiceRecord): Uint8Array {
  const content = new Writer();
  for (const part of parts) content.u8(part.type).u16LE(part.content.length).raw(part.content);
  const flags =
    FLAG.priority |
    (object === undefined ? 0 : FLAG.object) |
    (time === undefined ? 0 : FLAG.time) |
    (isOfTerminal === true ? FLAG.ofTerminal : 0);
  const record = new Writer(content.length + 15).u16LE(content.length).u16LE(number).u8(flags);
  if (object !== undefined) record.u32LE(object);
  if (time !== undefined) record.u32LE(secondsOf(time));
  return record.u8(service).u8(service).raw(content.finish()).finish();
}

/** The first packet of received bytes. Throws if it is not one. */
export const cutPacket: Cut<Packet> = (bytes) => {
  if (bytes.length < HEADER_BYTES) return undefined;
  const header = bytes[3]!;
  const isHeader = bytes[0] === VERSION && (header === HEADER_BYTES || header === ROUTED_HEADER_BYTES);
  if (!isHeader) throw new Error('the receiver does not answer in EGTS');
  const size = bytes.readUInt16LE(5);
  const length = header + (size === 0 ? 0 : size + 2);
  if (bytes.length < length) return undefined;
  if (crc8Nrsc5(bytes, 0, header - 1) !== bytes[header - 1]) throw new Error('the header of an answer is damaged');
  const data = Uint8Array.from(bytes.subarray(header, header + size));
  if (size > 0 && crc16CcittFalse(data) !== bytes.readUInt16LE(length - 2)) throw new Error('an answer is damaged');
  return { frame: { id: bytes.readUInt16LE(7), type: bytes[9]!, data }, length };
};

/** Records of a packet. Throws CodecError `truncated`. */
export function readRecords(data: Uint8Array, start = 0): ServiceRecord[] {
  const reader = new Reader(data, start);
  const records: ServiceRecord[] = [];
  while (reader.remaining > 0) {
    const length = reader.u16LE();
    const number = reader.u16LE();
    const flags = reader.u8();
    const object = flags & FLAG.object ? reader.u32LE() : undefined;
    reader.skip((flags & 0x02 ? 4 : 0) + (flags & FLAG.time ? 4 : 0));
    const service = reader.u8();
    reader.skip(1);
    const content = reader.slice(length);
    const parts: SubRecord[] = [];
    while (content.remaining > 0) parts.push({ type: content.u8(), content: content.view(content.u16LE()) });
    records.push({ number, service, parts, object });
  }
  return records;
}
