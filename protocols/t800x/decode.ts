import { CodecError, type DecodeContext, type Decoded, type Draft, type Message, type Reply, toHex } from '#codec';
import { readLocation } from './location.ts';
import { ASSET, identityOf, OBD, OLD, openPacket, type Packet, readUtf16, type State } from './packet.ts';
import { readAccelerometer, readDriving, readNetwork, readSensors } from './reports.ts';

interface Row {
  /** any head where it is absent */
  readonly head?: number;
  read(packet: Packet): Message[];
}

const positions =
  (read: (packet: Packet) => Draft[]) =>
  (packet: Packet): Message[] =>
    read(packet).map((draft) => draft.toPosition());

function readAnswer({ reader }: Packet): Message[] {
  reader.skip(1);
  const result = readUtf16(reader, reader.remaining);
  return [
    { type: 'position', valid: false, outdated: true, attributes: { result } },
    { type: 'answer', outcome: 'done', text: result },
  ];
}

const location: Row = { read: positions((packet) => [readLocation(packet)]) };
const nothing: Row = { read: () => [] };

const MESSAGES: Readonly<Record<number, Row>> = {
  1: nothing,
  2: location,
  3: { read: () => [{ type: 'heartbeat' }] },
  4: location,
  6: { head: OBD, read: positions(readAccelerometer) },
  16: { read: positions(readSensors) },
  17: { read: positions(readNetwork) },
  19: location,
  20: location,
  129: { read: readAnswer },
};
const ASSET_NETWORK: Row = { read: positions(readNetwork) };
const OBD_DRIVING: Row = { read: positions(readDriving) };

function rowOf({ type, head }: Packet): Row | undefined {
  if (type === 5 && head === ASSET) return ASSET_NETWORK;
  if (type === 5 && head === OBD) return OBD_DRIVING;
  const row = MESSAGES[type];
  return row?.head === undefined || row.head === head ? row : undefined;
}

const ALARMS: readonly number[] = [4, 20];
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
  return [{ when: 'stored', bytes: answer }];
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
