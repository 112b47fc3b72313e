import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  Reader,
  type Reply,
  readOptional,
  storedTextReply,
} from '#codec';
import { layout } from '#codec/binary';
import { MIN_FRAME_BYTES } from './frame.ts';
import { LAYOUTS, OTHERS } from './tables.ts';

const BY_HARDWARE = new Map(Object.entries(LAYOUTS).map(([hardware, fields]) => [Number(hardware), layout(fields)]));
const OTHER = layout(OTHERS);

/** serial, checksum, line end */
const TAIL_BYTES = 6;

export function decode(bytes: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < MIN_FRAME_BYTES) throw new CodecError('truncated', `${bytes.length} bytes of a message`);
  const reader = new Reader(bytes, 6, bytes.length - TAIL_BYTES);
  const hardware = reader.u16();
  const draft = new Draft({ versionHw: hardware, versionFw: reader.u32() });
  const id = reader.hex(8).slice(1);
  draft.deviceTime = reader.date6();
  readOptional(() => (BY_HARDWARE.get(hardware) ?? OTHER)(reader, draft));
  const messages = [{ type: 'login', ids: [id] }, draft.toPosition()] as const;
  return { state: context.state, messages, replies: acknowledgeUndecoded(bytes, context) };
}

/** Where the device is set up to be answered: the serial, and the time. */
export function acknowledgeUndecoded(bytes: Uint8Array, { options, now }: DecodeContext<undefined>): readonly Reply[] {
  if (options['ack'] !== true || bytes.length < MIN_FRAME_BYTES) return [];
  const at = bytes.length - TAIL_BYTES;
  const serial = (bytes[at]! << 8) | bytes[at + 1]!;
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
  return [storedTextReply(`@ACK,${serial}#@UTC time:${time}`)];
}
