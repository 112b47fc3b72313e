import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  type Reply,
  readOptional,
  storedReply,
  textAnswer,
} from '#codec';
import { plainText } from '#codec/text';
import { readBlocks } from './blocks.ts';
import { readBlocksV3 } from './blocks-v3.ts';
import {
  BLOCK_COMMAND,
  BLOCKS,
  contentOf,
  type Head,
  hasHead,
  isV3,
  readHead,
  readV3,
  write,
  writeV3,
} from './frame.ts';
import { areBlocks } from './records.ts';
import { negative, signedDdmm } from './values.ts';

const POSITIONS = 0x0014;
export const COMMAND = 0x0007;
const STORED = Uint8Array.of(0x01);
/** The answer to a device that asks whether it may send messages of blocks. */
const SEND_BLOCKS = Uint8Array.of(0x02);
const V3_STORED = Uint8Array.of(0x00);
const ALARMS = [
  [0x0001, 'sos'],
  [0x0002, 'removing'],
  [0x8000, 'fallDown'],
] as const;
/** of the data behind a length */
const FIX = 0x47;

export function decode(frame: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const [head, reader] = readFrame(frame);
  const messages: Message[] = [{ type: 'login', ids: [head.id] }];
  if (head.type === COMMAND || head.type === BLOCK_COMMAND) {
    const payload = reader.view(reader.remaining);
    const text = plainText(payload, 0, payload.length) ?? '';
    return { state, messages: [...messages, textAnswer(text)], replies: [] };
  }
  if (head.type === BLOCKS) {
    messages.push(...(head.isV3 ? readBlocksV3(reader) : readBlocksOrRecord(reader)));
    return { state, messages, replies: acknowledge(head) };
  }
  if (head.type !== POSITIONS) throw new CodecError('unknown-type', `message ${head.type} is not known`);
  const lengths = Array.from({ length: reader.u8() }, () => reader.u16());
  let isAsking = false;
  for (const length of lengths) {
    if (reader.remaining === 0) break;
    const record = reader.view(Math.min(length, reader.remaining));
    isAsking = isDetection(record);
    messages.push(isAsking ? { type: 'heartbeat' } : readRecord(new Reader(record)));
  }
  return { state, messages, replies: isAsking ? [storedReply(write(head, SEND_BLOCKS))] : acknowledge(head) };
}

/** Some devices send a record of the older format, without its count and length, where the blocks should be. */
function readBlocksOrRecord(reader: Reader): readonly Message[] {
  const payload = reader.view(reader.remaining);
  return areBlocks(payload) ? readBlocks(new Reader(payload)) : [readRecord(new Reader(payload))];
}

function readFrame(frame: Uint8Array): readonly [Head, Reader] {
  if (isV3(frame)) return readV3(frame);
  const reader = new Reader(contentOf(frame));
  return [readHead(reader), reader];
}

const acknowledge = (head: Head): readonly Reply[] => [
  storedReply(head.isV3 ? writeV3(head, V3_STORED) : write(head, STORED)),
];

/** The device repeats what is not acknowledged, whatever it is. */
export function acknowledgeUndecoded(frame: Uint8Array): readonly Reply[] {
  if (!hasHead(frame)) return [];
  const [head] = readFrame(frame);
  return head.type === COMMAND || head.type === BLOCK_COMMAND ? [] : acknowledge(head);
}

/** Devices that know a newer format say so by a record of zeros, which says nothing of them. */
const isDetection = (record: Uint8Array): boolean => record.every((byte) => byte === 0);

function readRecord(reader: Reader): Message {
  const draft = new Draft();
  readOptional(() => {
    draft.attributes['index'] = reader.u8();
    draft.deviceTime = reader.u32() * 1000;
    draft.attributes['rssi'] = reader.u8();
    const battery = reader.u16();
    draft.attributes['charge'] = (battery & 0x8000) !== 0;
    draft.attributes['batteryLevel'] = battery & 0x7fff;
    const mask = reader.u8();
    if (mask & 0x01) readAlarms(reader.u32(), draft);
    if (mask & 0x02) readPosition(reader, draft);
    if (mask & 0x08) reader.skip(4);
    if (mask & 0x10) readDevice(reader, draft);
  });
  return draft.toPosition();
}

function readAlarms(bits: number, draft: Draft): void {
  for (const [bit, alarm] of ALARMS) if (bits & bit) draft.addAlarm(alarm);
}

/** Version, IMSI, ICCID. */
function readDevice(reader: Reader, draft: Draft): void {
  draft.attributes['versionFw'] = reader.latin1(20).replace(/\0.*$/s, '');
  reader.skip(8);
  draft.attributes['iccid'] = reader.hex(10);
}

function readPosition(reader: Reader, draft: Draft): void {
  const mask = reader.u8();
  const time = draft.deviceTime!;
  const readFix = (read: () => number): void => {
    const longitude = signedDdmm(read());
    draft.setFix(time, true, signedDdmm(read()), longitude);
  };
  if (mask & 0x01) {
    draft.attributes['sat'] = reader.u8();
    readFix(() => reader.exactF32());
  }
  if (mask & 0x02) for (let n = reader.u8(); n > 0; n--) readAccessPoint(reader, draft);
  if (mask & 0x04) for (let n = reader.u8(); n > 0; n--) readCell(reader, draft);
  if (mask & 0x08) reader.skip(12 * reader.u8());
  if (mask & 0x20) draft.setMovement(undefined, reader.u16() / 10, reader.u16() / 10);
  if (mask & 0x40) {
    draft.attributes['sat'] = reader.u8();
    readFix(() => reader.f64());
  }
  if (mask & 0x80) readData(reader.slice(reader.u16()), draft, readFix);
}

function readData(reader: Reader, draft: Draft, readFix: (read: () => number) => void): void {
  if (reader.remaining === 0 || reader.u8() !== FIX) return;
  reader.skip(2);
  readFix(() => reader.f64());
  draft.valid = reader.u8() > 0;
  draft.attributes['sat'] = reader.u8();
  reader.skip(1);
  const [speed, course] = [reader.u16() / 10, reader.u16() / 10];
  draft.setMovement(reader.f32(), speed, course);
}

function readAccessPoint(reader: Reader, draft: Draft): void {
  const mac = reader.mac();
  draft.addAccessPoint(mac, negative(reader.i8()));
}

function readCell(reader: Reader, draft: Draft): void {
  const [mcc, mnc, lac, cid] = [reader.u16(), reader.u16(), reader.u32(), reader.u32()];
  draft.addCell({ mcc, mnc, lac, cid, rssi: negative(reader.i8()) });
}
