import { type DecodeContext, type Decoded, handlerOf, type Message, Reader, storedReply, Writer } from '#codec';
import { fix, flagByMask, layout, number, readPositions, u16LE, validIf } from '#codec/binary';
import { CRC_BYTES, HEAD_BYTES, seal, TYPE } from './frame.ts';

// TODO record: the fields in the order of their bytes, with the vendor's clause and the units of docs/vocabulary.md.
const RECORD = layout([
  fix.time('u32LE'),
  number('u8', validIf(0x01), flagByMask(0x02, 'ignition')),
  fix.coordinates('i32LE', 1_000_000),
  fix.altitude('i16LE'),
  fix.speed('u16LE', { divisor: 10 }),
  fix.course('u16LE'),
  u16LE('power', { divisor: 1000 }),
]);

// TODO messages: one entry for each type of the vendor's document.
const READ: Readonly<Record<number, (body: Reader) => Message[]>> = {
  [TYPE.login]: (body) => [{ type: 'login', ids: [body.latin1(15)] }],
  [TYPE.positions]: (body) => readPositions(RECORD, body),
  [TYPE.heartbeat]: () => [{ type: 'heartbeat' }],
  [TYPE.answer]: (body) => [{ type: 'answer', outcome: body.u8() === 1 ? 'done' : 'refused', text: body.latin1() }],
};

// `handlerOf` throws CodecError for an unknown type, so that the frame is kept raw; no messages would mean that it is
// acknowledged and nothing of it is kept.
export function decode(bytes: Uint8Array, { state }: DecodeContext<undefined>): Decoded<undefined> {
  const body = new Reader(bytes, HEAD_BYTES, bytes.length - CRC_BYTES);
  const type = body.u8();
  const messages = handlerOf(READ, type)(body);
  // TODO acknowledgement: what names the message, so that the device knows what is stored.
  const reply = storedReply(seal(new Writer().u8(TYPE.acknowledgement).u8(type)));
  return { state, messages, replies: type === TYPE.answer ? [] : [reply] };
}
