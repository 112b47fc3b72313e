import { Draft, type Message, Reader } from '#codec';
import {
  attr,
  type Field,
  fix,
  ifInMask,
  layout,
  lengthPrefixed,
  number,
  presenceMask,
  skip,
  u16,
  validIf,
} from '#codec/binary';

/** 2000-01-01, where the time begins */
const EPOCH_MS = 946_684_800_000;
const EVENT_TYPE = 0x41;
const [SYSTEM, PLACE] = [0x01, 0x02];

/** The fix is of the message's time; what the mask does not have is 0. */
const hasFix: Field = ({ into }) => {
  into.fixTime = into.deviceTime;
  into.hasFix = true;
  into.altitude = 0;
  into.speed = 0;
  into.course = 0;
};

/** Values by the bits of a mask of their own. */
const PLACE_FIELDS = [
  skip(1),
  presenceMask('u16'),
  hasFix,
  ifInMask(0x01, number('u8', attr('sat', { mask: 0x1f }), validIf(0x60))),
  ifInMask(0x02, fix.coordinates('i32', 1e6)),
  ifInMask(0x04, fix.speed('i16')),
  ifInMask(0x08, fix.course('u16')),
  ifInMask(0x10, fix.altitude('i16')),
  ifInMask(0x20, u16('hdop', { divisor: 100 })),
  ifInMask(0x40, u16('vdop', { divisor: 100 })),
];

/** Blocks by the bits of a mask; only the place is read. */
const BLOCKS = [presenceMask('u16'), ifInMask(SYSTEM, lengthPrefixed('u8', [])), ifInMask(PLACE, PLACE_FIELDS)];
const TIME = fix.deviceTime('u32', 1000, EPOCH_MS);
const LAYOUT = layout([TIME, BLOCKS]);
const EVENT_LAYOUT = layout([TIME, skip(1), BLOCKS]);

export function decodeBinary(bytes: Uint8Array): Message[] {
  const reader = new Reader(bytes, 2);
  const read = reader.u8() === EVENT_TYPE ? EVENT_LAYOUT : LAYOUT;
  const id = String(reader.u24() * 0x1_0000_0000 + reader.u32());
  const draft = new Draft();
  read(reader, draft);
  return [{ type: 'login', ids: [id] }, draft.toPosition()];
}
