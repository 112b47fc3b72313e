import { Draft, type Reader } from '#codec';

const WHOLE = 1;
const DELTA = 2;

/** The low `bits` of a number, signed. */
const signed = (value: number, bits: number): number => (value << (32 - bits)) >> (32 - bits);

/**
 * Points of type 100: the first bits of each say whether it is complete or what has changed since the last. A second lies
 * between two; a whole point has a time only where none is known yet.
 */
export function readCompressed(reader: Reader): Draft[] {
  const drafts: Draft[] = [];
  let [speed, course, longitude, latitude, time] = [0, 0, 0, 0, 0];
  for (let count = reader.u16(); count > 0; count--) {
    if (time > 0) time += 1;
    const kind = reader.peekU8() >> 6;
    if (kind === WHOLE) {
      const bits = reader.u24();
      speed = (bits >> 9) & 0xfff;
      course = bits & 0x1ff;
      longitude = reader.i32();
      latitude = reader.i32();
      if (time === 0) time = reader.u32();
    } else if (kind === DELTA) {
      // 40 bits: kind 2, fix 1, speed 7, course 7, longitude 12, latitude 11
      const high = reader.u16();
      const low = reader.u24();
      speed += signed(high >> 6, 7);
      course += signed(((high & 0x3f) << 1) | (low >> 23), 7);
      longitude += signed(low >> 11, 12);
      latitude += signed(low, 11);
    } else {
      reader.skip(1);
      continue;
    }
    const draft = new Draft();
    draft.setFix(time * 1000, true, latitude / 1e6, longitude / 1e6);
    draft.setMovement(undefined, speed / 10, course);
    drafts.push(draft);
  }
  return drafts;
}
