import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  type Message,
  Reader,
  type Reply,
  storedTextReply,
  toHex,
  toLatin1,
} from '#codec';
import { HEAD_BYTES, isBeat, isRecords, isStored } from './frame.ts';
import { readInformation } from './information.ts';
import { type Content, IMEI_BYTES, imeiAt, isSet, TAIL_BYTES } from './message.ts';
import { readRecords } from './records.ts';
import { readEvent, readReport } from './report.ts';

const ANSWER = '+ACK';
const HEARTBEAT = '+HBD';
/** the second letter of what is sent from the device's memory */
const STORED = 'B';
const MESSAGES: ReadonlyMap<string, (reader: Reader) => Content> = new Map([
  ['+RSP', readReport],
  ['+EVT', readEvent],
  ['+BSP', readReport],
  ['+BVT', readEvent],
  ['+INF', readInformation],
  ['+BNF', readInformation],
]);

export function decode(bytes: Uint8Array, { state, options }: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < HEAD_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a header`);
  const header = headerOf(bytes);
  const replies = repliesTo(bytes, header, options);
  if (isBeat(bytes)) return { state, messages: beat(new Reader(bytes, 3)), replies };
  const read = isRecords(bytes) ? readRecords : MESSAGES.get(header);
  if (read === undefined) return { state, messages: [...nameIn(header, bytes), other(header, bytes)], replies };
  const { ids, drafts } = read(new Reader(bytes, 4));
  if (header[1] === STORED || isStored(bytes)) for (const { attributes } of drafts) attributes['archive'] = true;
  const messages: Message[] = [{ type: 'login', ids }, ...drafts.map((draft) => draft.toPosition())];
  return { state, messages, replies };
}

const headerOf = (bytes: Uint8Array): string => toLatin1(bytes, 0, 4);

const other = (header: string, bytes: Uint8Array): Message =>
  header === ANSWER ? { type: 'answer', outcome: 'done', bytes: bytes.slice() } : { type: 'heartbeat' };

/** Where answers and heartbeats have their mask. Source: GV200 @Track Air Interface Protocol, 4.5, 4.6 and AT+GTHRM. */
const MASK_AT: Readonly<Record<string, number>> = { [ANSWER]: 5, [HEARTBEAT]: 4 };
/** Bytes of length, device, protocol and firmware, by the bits of the mask from 0 on. */
const BEFORE_NUMBER = [1, 1, 2, 2] as const;

function numberAt(bytes: Uint8Array, maskAt: number): number {
  let at = maskAt + 1;
  for (const [bit, size] of BEFORE_NUMBER.entries()) if (isSet(bytes[maskAt]!, bit)) at += size;
  return at;
}

/** A name, or nothing, may stand in the place of the device's number. */
function nameIn(header: string, bytes: Uint8Array): Message[] {
  const maskAt = MASK_AT[header];
  if (maskAt === undefined) return [];
  const at = numberAt(bytes, maskAt);
  const imei = at + IMEI_BYTES + TAIL_BYTES > bytes.length ? undefined : imeiAt(bytes, at);
  return imei === undefined ? [] : [{ type: 'login', ids: [imei] }];
}

/** Device, versions, time. Source: @Track Protocol Pro of GL601, heartbeat. */
const beat = (reader: Reader): Message[] => [{ type: 'login', ids: [reader.hex(8).slice(1)] }, { type: 'heartbeat' }];

const COUNT_BYTES = 2;
/** Of a heartbeat's mask. */
const VERSION_BITS = [1, 2] as const;

/** Device and protocol, where the heartbeat says them. */
function versionIn(bytes: Uint8Array): string {
  const mask = bytes[MASK_AT[HEARTBEAT]!]!;
  if (!VERSION_BITS.every((bit) => isSet(mask, bit))) return '';
  const at = MASK_AT[HEARTBEAT]! + 1 + (mask & 1);
  return toHex(bytes, at, at + 1 + 2).toUpperCase();
}

/** Heartbeats are answered with their count, other messages where the device is set to wait for it. */
function repliesTo(bytes: Uint8Array, header: string, options: DeviceOptions): Reply[] {
  if (isBeat(bytes)) return [storedTextReply(`+SACK:${countAt(bytes, RECORDS_COUNT_AT)}$`)];
  if (header === HEARTBEAT)
    return [storedTextReply(`+SACK:GTHBD,${versionIn(bytes)},${countAt(bytes, MESSAGES_COUNT_AT)}$`)];
  if (options['ack'] !== true) return [];
  return [storedTextReply(`+SACK:${countAt(bytes, isRecords(bytes) ? RECORDS_COUNT_AT : MESSAGES_COUNT_AT)}$`)];
}

/** from the end */
const [RECORDS_COUNT_AT, MESSAGES_COUNT_AT] = [TAIL_BYTES, TAIL_BYTES + COUNT_BYTES];

function countAt(bytes: Uint8Array, fromEnd: number): string {
  const at = bytes.length - fromEnd;
  return toHex(bytes, at, at + COUNT_BYTES).toUpperCase();
}

/** A device that waits for it would send the message that nobody understands for ever. */
export const acknowledgeUndecoded = (bytes: Uint8Array, { options }: DecodeContext<undefined>): Reply[] =>
  bytes.length < HEAD_BYTES ? [] : repliesTo(bytes, headerOf(bytes), options);
