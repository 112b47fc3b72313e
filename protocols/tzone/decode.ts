import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  fromLatin1,
  Reader,
  type Reply,
  readOptional,
} from '#codec';
import { readAccessPoints, readCards, readCells, readPassengers, readStatus, readTags } from './blocks.ts';
import { HARDWARE } from './elements.ts';
import { SMALLEST } from './frame.ts';
import { readPlace } from './place.ts';

/** serial, checksum, line end */
const TAIL_BYTES = 6;

export function decode(bytes: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  if (bytes.length < SMALLEST) throw new CodecError('truncated', `${bytes.length} bytes of a message`);
  const reader = new Reader(bytes, 6, bytes.length - TAIL_BYTES);
  const hardware = reader.u16();
  const draft = new Draft({ versionHw: hardware, versionFw: reader.u32() });
  const id = reader.hex(8).slice(1);
  draft.deviceTime = reader.date6();
  readOptional(() => readBlocks(reader, draft, hardware));
  const messages = [{ type: 'login', ids: [id] }, draft.toPosition()] as const;
  return { state: context.state, messages, replies: acknowledgeUndecoded(bytes, context) };
}

/** A length, then so many bytes; the next block begins behind them, whatever was read. */
function readBlocks(reader: Reader, draft: Draft, hardware: number): void {
  const block = (read: (content: Reader) => void): void => {
    const content = reader.slice(Math.min(reader.u16(), reader.remaining));
    readOptional(() => read(content));
  };
  if (hardware !== HARDWARE.tag) block((content) => readPlace(content, draft, hardware));
  block((content) => readCells(content, draft, hardware));
  const length = reader.u16();
  const start = reader.offset;
  readOptional(() => readStatus(new Reader(reader.bytes, start, reader.end), draft, hardware, length));
  reader.skip(Math.min(length, reader.remaining));
  if (hardware === HARDWARE.avl08) {
    for (let card = 0; card < 4; card++) block((content) => readCards(content, draft));
    block(() => {});
    block(() => {});
    block((content) => readPassengers(content, draft));
  }
  if (hardware === HARDWARE.avl201 || hardware === HARDWARE.tag) block((content) => readTags(content, draft, hardware));
  if (hardware === HARDWARE.tt18) block((content) => readAccessPoints(content, draft));
}

/** Where the device is set up to be answered: the serial, and the time. */
export function acknowledgeUndecoded(bytes: Uint8Array, { options, now }: DecodeContext<undefined>): readonly Reply[] {
  if (options['ack'] !== true || bytes.length < SMALLEST) return [];
  const at = bytes.length - TAIL_BYTES;
  const serial = (bytes[at]! << 8) | bytes[at + 1]!;
  const time = new Date(now).toISOString().slice(0, 19).replace('T', ' ');
  return [{ when: 'stored', bytes: fromLatin1(`@ACK,${serial}#@UTC time:${time}`) }];
}
