import { CodecError, type DecodeContext, type Decoded, Reader, type Reply, storedReply, toHex } from '#codec';
import { type Layout, layout } from '#codec/binary';
import { completed, MIN_FRAME_BYTES } from './ending.ts';
import { GENERAL, MESSAGES } from './messages.ts';
import { acknowledge, Packet, type State } from './packet.ts';
import type { MessageRow, ReplyForm } from './rows.ts';
import { answerScan, isScan } from './scan.ts';

interface Row extends MessageRow {
  readonly read: Layout<Packet> | undefined;
  /** the type is an attribute of its position */
  readonly isNumbered: boolean;
}

const compiled = (row: MessageRow, isNumbered: boolean): Row => {
  const { fields } = row;
  return { ...row, isNumbered, read: fields === undefined ? undefined : layout(fields) };
};

const rows: readonly Row[] = [
  ...MESSAGES.map((row) => compiled(row, false)),
  ...GENERAL.map((row) => compiled({ ...row, reply: 'standard' }, true)),
];
const rowsOfType = Array.from({ length: 256 }, (_, type) => rows.filter(({ types }) => types.includes(type)));

/** A short message of any other type is kept as it came, and acknowledged. */
const OTHER: Row = compiled({ types: [], silent: true, reply: 'standard' }, false);

const isOfSize = (size: NonNullable<MessageRow['size']>, bytes: number): boolean =>
  typeof size === 'number' ? size === bytes : size[0] <= bytes && bytes <= size[1];

/** The first row that fits; undefined for a message that is not known. */
function rowOf(packet: Packet): Row | undefined {
  const { variant, models, reader } = packet;
  const form = packet.long ? 'long' : 'short';
  for (const row of rowsOfType[packet.type]!) {
    if (row.form !== undefined && row.form !== form) continue;
    if (row.variant !== undefined && row.variant !== variant) continue;
    if (row.models !== undefined && row.models !== models) continue;
    if (row.not === variant) continue;
    if (row.size !== undefined && !isOfSize(row.size, reader.remaining)) continue;
    if (row.isScan !== undefined && row.isScan !== isScan(packet.bytes)) continue;
    return row;
  }
  return undefined;
}

const LOGIN = 0x01;

/** Decodes a cut frame. What comes before a login says nothing and is not answered. Throws CodecError. */
export function decode(bytes: Uint8Array, context: DecodeContext<State>): Decoded<State> {
  const packet = new Packet(completed(bytes), context);
  if (packet.type === LOGIN) return readLogin(packet);
  if (packet.state.deviceId === undefined) return { state: packet.state, messages: [], replies: [] };
  const row = rowOf(packet);
  if (row === undefined && packet.reader.remaining === 0) return readEmpty(packet);
  if (row === undefined) throw new CodecError('unknown-type', `message ${toHex(bytes, 4, 5)} is not known`, 4);
  readFields(row, packet);
  const { state, messages } = packet;
  return { state, messages, replies: replies(packet, row.reply) };
}

/** A message of its type alone: the device is there. */
const readEmpty = (packet: Packet): Decoded<State> => ({
  state: packet.state,
  messages: [{ type: 'heartbeat' }],
  replies: packet.long ? [] : replies(packet, 'standard'),
});

/** Missing bytes do not lose the fields before them. */
function readFields({ read, silent, isNumbered }: Row, packet: Packet): void {
  if (read === undefined) return;
  try {
    read(packet.reader, packet, packet.zone);
  } catch (error) {
    const isCut = error instanceof CodecError && error.code === 'truncated';
    if (!isCut || silent || packet.isEmpty) throw error;
  }
  if (silent) return;
  if (isNumbered) packet.attributes['type'] = packet.type;
  packet.messages.push(packet.toPosition());
}

function replies({ bytes, type, reply }: Packet, form: ReplyForm): Reply[] {
  if (reply !== undefined) return [storedReply(reply)];
  if (form === 'none' || form === 'own') return [];
  return [storedReply(form === 'scan' ? answerScan(bytes) : acknowledge(bytes, type, form === 'long'))];
}

/** The reply to a frame that was not understood: none if its type has none, else one that lets the device go on. */
export function acknowledgeUndecoded(bytes: Uint8Array, context: DecodeContext<State>): readonly Reply[] {
  const whole = completed(bytes);
  if (whole.length < MIN_FRAME_BYTES || context.state.deviceId === undefined) return [];
  const packet = new Packet(whole, context);
  const { reply } = rowOf(packet) ?? OTHER;
  return replies(packet, reply === 'own' || reply === 'scan' ? 'standard' : reply);
}

const DIGITS = /^\d{16}$/;
/** identity and type code; the extension follows */
const LOGIN_BYTES = 10;
const WEST = 0x08;

/** Identity in eight bytes of two digits; optionally zone and language. */
function readLogin({ reader, bytes, options, state }: Packet): Decoded<State> {
  const start = reader.offset;
  // Clones end right behind the identity.
  const digits = new Reader(bytes, start, bytes.length - 2).hex(8);
  if (!DIGITS.test(digits)) throw new CodecError('bad-value', 'an identity of other than digits', start);
  const deviceId = digits.slice(1);
  const hasZone = options['loginTimezone'] === true && reader.remaining >= LOGIN_BYTES + 2;
  return {
    state: {
      ...(state.deviceId === deviceId && state.models !== undefined && { models: state.models }),
      deviceId,
      zone: hasZone ? zoneOf(new Reader(bytes, start + LOGIN_BYTES).u16()) : 'UTC',
    },
    messages: [{ type: 'login', ids: [deviceId] }],
    replies: [storedReply(acknowledge(bytes, LOGIN))],
  };
}

/** Bits 15 to 4 hold hours and minutes as a decimal number, hours in its hundreds; bit 3 is west. */
function zoneOf(extension: number): string {
  const hundreds = extension >> 4;
  const minutes = Math.trunc(hundreds / 100) * 60 + (hundreds % 100);
  const [hours, rest] = [Math.trunc(minutes / 60), String(minutes % 60).padStart(2, '0')];
  return `${extension & WEST ? '-' : '+'}${hours}:${rest}`;
}
