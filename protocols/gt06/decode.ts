import { CodecError, type DecodeContext, type Decoded, Reader, type Reply, toHex } from '#codec';
import { readAnswer, readLongAnswer } from './messages/answers.ts';
import { readCameraAlarm } from './messages/camera.ts';
import { readBatteryPack, readBeacon, readColdChain, readLockStatus, readPassThrough } from './messages/device.ts';
import { partsOf, readGeneral } from './messages/general.ts';
import { readInformation, readSupply } from './messages/information.ts';
import { readMedia, readPhotoData, readPhotoInfo } from './messages/media.ts';
import { readDeviceStatus, readModular, readPeripherals } from './messages/modules.ts';
import { readAccessPointList, readCellList, readScan } from './messages/network.ts';
import {
  readAz735,
  readDriverCard,
  readInputsOutputs,
  readObd,
  readSr411,
  readTrx16i,
  readTypedCell,
} from './messages/vehicle.ts';
import { acknowledge, encodeFrame, openPacket, type Packet, type State } from './packet.ts';
import type { Variant } from './variants.ts';

/**
 * What is sent back: the standard reply, the same in the long form, one that the handler makes, or none (a handler may
 * still make one).
 */
type ReplyForm = 'standard' | 'long' | 'own' | 'none';

interface MessageRow {
  readonly types: readonly number[];
  /** both forms where it is absent */
  readonly form?: 'short' | 'long';
  readonly variant?: Variant;
  readonly not?: Variant;
  /** of the content in bytes */
  readonly size?: number;
  /** fills in the packet's draft; false where no position comes of it yet */
  // biome-ignore lint/suspicious/noConfusingVoidType: most handlers return nothing
  readonly read?: (packet: Packet) => boolean | void;
  /** a message without position */
  readonly silent?: true;
  readonly reply: ReplyForm;
}

const COLD_CHAIN_BYTES = 16;

/** Type and form → handler; the first row that fits. What is in no row may still be of the general path. */
const MESSAGES: readonly MessageRow[] = [
  { types: [0x23], read: readLockStatus, reply: 'standard' },
  { types: [0x2a], read: answerAddress, silent: true, reply: 'own' },
  { types: [0x8a], read: answerTime, silent: true, reply: 'own' },
  { types: [0x34], not: 'SL4X', read: readInputsOutputs, reply: 'none' },
  { types: [0x35], read: readPhotoInfo, silent: true, reply: 'own' },
  { types: [0x17], not: 'RFID', read: readScan, reply: 'own' },
  { types: [0x69], read: readScan, reply: 'own' },
  { types: [0xf3], read: readAccessPointList, reply: 'none' },
  { types: [0x94], form: 'short', read: readSupply, reply: 'none' },
  { types: [0x24], variant: 'SR411', read: readSr411, reply: 'none' },
  { types: [0x28, 0x2e, 0x24, 0x18, 0x2c, 0xa1, 0x34, 0xa9], read: readCellList, reply: 'standard' },
  { types: [0xa2], not: 'LW4G', read: readCellList, reply: 'standard' },
  { types: [0x33], form: 'short', read: readCellList, reply: 'standard' },
  { types: [0xb2], read: readBeacon, reply: 'standard' },
  { types: [0x15], read: readAnswer, reply: 'standard' },
  { types: [0x40], read: readBatteryPack, reply: 'standard' },
  { types: [0x13], size: COLD_CHAIN_BYTES, read: readColdChain, reply: 'standard' },
  { types: [0x61], read: readDriverCard, reply: 'standard' },
  { types: [0x36], variant: 'TRX16I', read: readTrx16i, reply: 'standard' },
  { types: [0x19], variant: 'SPACE10X', silent: true, reply: 'none' },
  { types: [0x95], read: readCameraAlarm, reply: 'standard' },
  { types: [0x21], read: readLongAnswer, reply: 'none' },
  { types: [0x94], form: 'long', read: readInformation, reply: 'none' },
  { types: [0x36], form: 'long', read: readPhotoData, silent: true, reply: 'none' },
  { types: [0x32, 0x33], form: 'long', read: readAz735, reply: 'long' },
  { types: [0x8c], read: readObd, reply: 'none' },
  { types: [0x70], read: readModular, reply: 'standard' },
  { types: [0x41], read: readMedia, reply: 'long' },
  { types: [0x9b], read: readPassThrough, reply: 'none' },
  { types: [0xf2], read: readPeripherals, reply: 'standard' },
  { types: [0xf1], read: readDeviceStatus, reply: 'standard' },
  { types: [0x38], read: readTypedCell, reply: 'none' },
  // Commands that come back, trouble codes and parameters of OBD: nothing to tell.
  { types: [0x80, 0x81, 0x82, 0x65, 0x66], silent: true, reply: 'none' },
];

const GENERAL: MessageRow = { types: [], read: readGeneral, reply: 'standard' };
/** short messages of any other type are acknowledged */
const OTHER: MessageRow = { types: [], silent: true, reply: 'standard' };

const rowsOfType: readonly (readonly MessageRow[])[] = Array.from({ length: 256 }, (_, type) =>
  MESSAGES.filter((row) => row.types.includes(type)),
);

/** Undefined for a long message that is not known. */
function rowOf(packet: Packet): MessageRow | undefined {
  const form = packet.long ? 'long' : 'short';
  for (const row of rowsOfType[packet.type]!) {
    if (row.form !== undefined && row.form !== form) continue;
    if (row.variant !== undefined && row.variant !== packet.variant) continue;
    if (row.not === packet.variant) continue;
    if (row.size !== undefined && row.size !== packet.reader.remaining) continue;
    return row;
  }
  if (partsOf(packet) !== undefined) return GENERAL;
  return packet.long ? undefined : OTHER;
}

const LOGIN = 0x01;

/** Decodes a cut frame. What comes before a login says nothing and is not answered. Throws CodecError. */
export function decode(bytes: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const packet = openPacket(bytes, context);
  if (packet.type === LOGIN) return readLogin(packet);
  if (packet.state.deviceId === undefined) return { state: packet.state, messages: [], replies: [] };
  const row = rowOf(packet);
  if (row === undefined) throw new CodecError('unknown-type', `message ${toHex(bytes, 4, 5)} is not known`, 4);
  if (row.read !== undefined && readSafely(row, packet)) {
    if (row === GENERAL) packet.draft.attributes['type'] = packet.type;
    packet.messages.push(packet.draft.toPosition());
  }
  return { state: packet.state, messages: packet.messages, replies: replies(packet, row.reply) };
}

/** True where a position comes of it. Missing bytes do not lose the fields before them. */
function readSafely(row: MessageRow, packet: Packet): boolean {
  try {
    return row.read!(packet) !== false && row.silent !== true;
  } catch (error) {
    const isCut = error instanceof CodecError && error.code === 'truncated';
    if (!isCut || row.silent || packet.draft.isEmpty) throw error;
    return true;
  }
}

function replies(packet: Packet, form: ReplyForm): Reply[] {
  const { bytes, type } = packet;
  if (packet.reply !== undefined) return [{ when: 'stored', bytes: packet.reply }];
  if (form === 'none' || form === 'own') return [];
  return [{ when: 'stored', bytes: acknowledge(bytes, type, form === 'long') }];
}

/** The reply to a frame that was not understood: none where its type has none, else one that lets the device go on. */
export function acknowledgeUndecoded(bytes: Uint8Array, context: DecodeContext<State>): readonly Reply[] {
  if (bytes.length < 10 || context.state.deviceId === undefined) return [];
  const packet = openPacket(bytes, context);
  const { reply } = rowOf(packet) ?? OTHER;
  return replies(packet, reply === 'own' ? 'standard' : reply);
}

const DIGITS = /^\d{16}$/;
/** identity and type code; the extension follows */
const LOGIN_BYTES = 10;
const WEST = 0x08;

/** Identity in eight bytes of two digits; optionally zone and language. */
function readLogin(packet: Packet): Decoded<State> {
  const { reader, bytes, options } = packet;
  const start = reader.offset;
  // Clones end right behind the identity.
  const digits = new Reader(bytes, start, bytes.length - 2).hex(8);
  if (!DIGITS.test(digits)) throw new CodecError('bad-value', 'an identity of other than digits', start);
  const deviceId = digits.slice(1);
  let zoneMs = 0;
  if (options['loginTimezone'] === true && reader.remaining >= LOGIN_BYTES + 2) {
    reader.skip(LOGIN_BYTES);
    const extension = reader.u16();
    const hundreds = extension >> 4;
    const minutes = Math.trunc(hundreds / 100) * 60 + (hundreds % 100);
    zoneMs = (extension & WEST ? 0 - minutes : minutes) * 60_000;
  }
  return {
    state: { deviceId, zoneMs },
    messages: [{ type: 'login', ids: [deviceId] }],
    replies: [{ when: 'stored', bytes: acknowledge(bytes, LOGIN) }],
  };
}

/** Nobody knows addresses here: the answer that devices take for one. */
function answerAddress(packet: Packet): void {
  const content = new Uint8Array(16);
  content[0] = content.length - 5;
  content.set(NO_ADDRESS, 5);
  packet.reply = encodeFrame(0x97, content, 0, 0, true);
}

const NO_ADDRESS = Uint8Array.from('NA&&NA&&0##', (character) => character.charCodeAt(0));

/** The gateway's clock, UTC. */
function answerTime(packet: Packet): void {
  const now = new Date(packet.now);
  const content = Uint8Array.of(
    now.getUTCFullYear() - 2000,
    now.getUTCMonth() + 1,
    now.getUTCDate(),
    now.getUTCHours(),
    now.getUTCMinutes(),
    now.getUTCSeconds(),
  );
  packet.reply = encodeFrame(packet.type, content, 0, 0);
}
