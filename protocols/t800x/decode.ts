import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Draft,
  type Message,
  type Reply,
  storedReply,
  textAnswer,
  toHex,
} from '#codec';
import { readLocation } from './location.ts';
import { ASSET, identityOf, OBD, OLD, openPacket, type Packet, readUtf16, type State, VEHICLE } from './packet.ts';
import { readAccelerometer, readDriving, readNetwork, readSensors } from './reports.ts';

interface Row {
  /** any head where it is absent */
  readonly heads?: readonly number[];
  read(packet: Packet): Message[];
}

const positions =
  (read: (packet: Packet) => Draft[]) =>
  (packet: Packet): Message[] =>
    read(packet).map((draft) => draft.toPosition());

function readAnswer({ reader }: Packet): Message[] {
  reader.skip(1);
  const result = readUtf16(reader, reader.remaining);
  return [{ type: 'position', valid: false, outdated: true, attributes: { result } }, textAnswer(result)];
}

const location: Row = { read: positions((packet) => [readLocation(packet)]) };
const nothing: Row = { read: () => [] };

const VEHICLES = [VEHICLE, OBD];
const MESSAGES: Readonly<Record<number, Row>> = {
  0x01: nothing,
  0x02: location,
  0x03: { read: () => [{ type: 'heartbeat' }] },
  0x04: location,
  0x05: { heads: VEHICLES, read: positions(readDriving) },
  0x06: { heads: VEHICLES, read: positions(readAccelerometer) },
  0x10: { read: positions(readSensors) },
  0x11: { read: positions(readNetwork) },
  0x13: location,
  0x14: location,
  0x16: { ...location, heads: VEHICLES },
  0x18: { ...location, heads: VEHICLES },
  0x33: { ...location, heads: [VEHICLE] },
  0x34: { ...location, heads: [VEHICLE] },
  0x81: { read: readAnswer },
};
const ASSET_NETWORK: Row = { read: positions(readNetwork) };

function rowOf({ type, head }: Packet): Row | undefined {
  if (type === 0x05 && head === ASSET) return ASSET_NETWORK;
  const row = MESSAGES[type];
  return row?.heads === undefined || row.heads.includes(head) ? row : undefined;
}

const ALARMS: readonly number[] = [0x04, 0x14, 0x18, 0x34];
const REPLY_BYTES = 15;

/** Head, type, length, serial and IMEI; to an alarm also its code. The old family counts nothing. */
function reply(bytes: Uint8Array, code: number): readonly Reply[] {
  const length = REPLY_BYTES + (code > 0 ? 1 : 0);
  const answer = new Uint8Array(length);
  for (let at = 0; at < REPLY_BYTES; at++) answer[at] = bytes[at]!;
  answer[3] = 0;
  answer[4] = length;
  if (answer[0] === OLD >> 8) {
    answer[5] = 0;
    answer[6] = 1;
  }
  if (code > 0) answer[REPLY_BYTES] = code;
  return [storedReply(answer)];
}

export function decode(bytes: Uint8Array, { options, state }: DecodeContext<State>): Decoded<State> {
  const packet = openPacket(bytes, options['model']);
  const row = rowOf(packet);
  if (row === undefined) throw new CodecError('unknown-type', `message ${toHex(bytes, 0, 3)} is not known`, 2);
  const messages = row.read(packet);
  const first = messages[0];
  const code = ALARMS.includes(packet.type) && first?.type === 'position' ? Number(first.attributes['alarmCode']) : 0;
  return {
    state: packet.head === state.head ? state : { head: packet.head },
    messages: [{ type: 'login', ids: [identityOf(bytes)] }, ...messages],
    replies: reply(bytes, code),
  };
}

export const acknowledgeUndecoded = (bytes: Uint8Array): readonly Reply[] =>
  bytes.length < REPLY_BYTES ? [] : reply(bytes, 0);
