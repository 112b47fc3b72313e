import { messagesOf, positionsIn } from './decoded.ts';
import { type FrameCase, frameCasesOf, type Rule, type Subject, ViolationList } from './subject.ts';

/** A time of a clock that was not set: zeros from the usual epochs, and from the year 2000 in any time zone. */
const EMPTY_CLOCKS = ['1970-01-01', '1980-01-06', '1999-11-30', '2000-01-01', '2009-01-01', '2010-01-01'].map((day) =>
  Date.parse(day),
);
const ZONES_MS = 14 * 3_600_000;
const isEmptyClock = (time: number): boolean =>
  EMPTY_CLOCKS.some((empty) => Math.abs(time - empty) <= ZONES_MS && time % 900_000 === 0);

/** Copies of a frame in which something that may be a time is zeros. */
function* withoutTimes(frame: Uint8Array): Generator<Uint8Array> {
  const text = Buffer.from(frame).toString('latin1');
  for (const { index, 0: digits } of text.matchAll(/\d{6}(?:\d{6}(?:\d\d)?)?|\d{9,10}/g)) {
    const copy = Uint8Array.from(frame);
    copy.fill(0x30, index, index + digits.length);
    yield copy;
  }
  for (const bytes of [4, 6, 7]) {
    for (let at = 0; at + bytes <= Math.min(frame.length, 200); at++) {
      const copy = Uint8Array.from(frame);
      copy.fill(0, at, at + bytes);
      yield copy;
    }
  }
}

function inventedTime(subject: Subject, one: FrameCase, frame: Uint8Array): string | undefined {
  for (const position of positionsIn(messagesOf(subject, one, frame) ?? [])) {
    for (const name of ['deviceTime', 'fixTime'] as const) {
      const time = position[name];
      if (time !== undefined && isEmptyClock(time)) return `${name} ${new Date(time).toISOString()}`;
    }
  }
  return undefined;
}

export const missingTime: Rule = {
  name: 'no date comes from a missing time',
  check(subject) {
    const found = new ViolationList();
    for (const one of frameCasesOf(subject)) {
      const frame = one.content ?? one.wire;
      const messages = messagesOf(subject, one, frame);
      if (messages === undefined || positionsIn(messages).length === 0) continue;
      for (const copy of withoutTimes(frame)) {
        const problem = inventedTime(subject, one, copy);
        if (problem === undefined) continue;
        found.add(one.place, `${problem} of ${Buffer.from(copy).toString('hex').slice(0, 160)}`);
        break;
      }
      if (found.enough) break;
    }
    return found.violations;
  },
};
