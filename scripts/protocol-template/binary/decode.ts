import {
  alarmBits,
  bit,
  coordinates,
  fixField,
  layout,
  number,
  type PacketProtocol,
  readPosition,
  setValid,
  time,
  u16,
} from '#codec/binary';

// TODO elements: the vendor's list, with its clause and the units of docs/vocabulary.md.
const POSITION = layout([
  time('fix', 'u32'),
  setValid(true),
  coordinates('i32', 1e6),
  number('i16', fixField('altitude')),
  number('u16', fixField('speed', { divisor: 10 })),
  number('u16', fixField('course')),
  number('u8', bit(1, 'ignition'), alarmBits([[2, 'sos']])),
  u16('power', { divisor: 1000 }),
]);

// TODO messages: one entry for each type of the vendor's document.
export const messages: PacketProtocol['messages'] = {
  1: (body) => [{ type: 'login', ids: [body.hex(8).slice(1)] }],
  2: (body) => [readPosition(POSITION, body)],
  3: () => [{ type: 'heartbeat' }],
  4: (body) => [{ type: 'answer', outcome: body.u8() === 1 ? 'done' : 'refused', text: body.latin1(body.remaining) }],
};
