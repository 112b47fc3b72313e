import { Writer } from '#codec';
import type { Field } from '#codec/binary';
import { encodeFrame, type Packet } from '../packet.ts';

const ADDRESS_ANSWER = 0x97;
/** Nobody knows addresses here: the answer that devices take for one. */
const NO_ADDRESS = 'NA&&NA&&0##';

/** What is the address of this place? Behind the fix are the number to answer to, alarm and language. */
export const ADDRESS_QUESTION: Field<Packet> = ({ into }) => {
  const content = new Writer(16).u8(NO_ADDRESS.length).u32(0).latin1(NO_ADDRESS);
  into.reply = encodeFrame(ADDRESS_ANSWER, content.finish(), 0, true);
};

/** What time is it? By the gateway's clock, UTC. */
export const TIME: Field<Packet> = ({ into }) => {
  into.reply = encodeFrame(into.type, new Writer(6).date6(into.now).finish());
};
