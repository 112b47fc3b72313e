import { concat, createRandom } from '../../support/random.ts';
import {
  clockOf,
  difference,
  type FrameCase,
  frameCasesOf,
  goldenOf,
  type Outcome,
  outcomeOf,
  type Rule,
  resume,
  type Subject,
  ViolationList,
} from './subject.ts';

const carriesMeaning = (outcome: Outcome): boolean => outcome.type === 'frame' || outcome.type === 'undecoded';

/** Bytes that begin no frame in the fixtures of this protocol. */
function noiseAlphabet(cases: readonly FrameCase[]): number[] {
  const heads = new Set(cases.map(({ wire }) => wire[0]));
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !heads.has(byte));
}

export const noise: Rule = {
  name: 'noise before a frame is skipped',
  check(subject) {
    const found = new ViolationList();
    if (subject.protocol.resync !== 'marker') return [];
    const random = createRandom(2);
    const cases = frameCasesOf(subject).filter(({ fixture }) => fixture.transport === 'tcp');
    const alphabet = noiseAlphabet(cases);
    for (const { fixture, place, wire, state, golden } of cases) {
      for (let round = 0; round < 20 && !found.enough; round++) {
        const before = Uint8Array.from({ length: 1 + random.int(40) }, () => random.pick(alphabet));
        const chunks = round % 2 === 0 ? [concat(before, wire)] : [before, wire];
        const driver = resume(subject, fixture, state);
        const got = chunks.flatMap((chunk) => driver.push(chunk, clockOf(fixture)).map(outcomeOf));
        const differs = difference(got.filter(carriesMeaning), [goldenOf(golden)]);
        if (differs) found.add(place, `after noise ${Buffer.from(before).toString('hex')}: ${differs}`);
      }
    }
    return found.violations;
  },
};

export const recovery: Rule = {
  name: 'after any bytes at all the next frames are found again',
  check(subject) {
    const found = new ViolationList();
    if (subject.protocol.resync !== 'marker') return [];
    const random = createRandom(3);
    const reported = frameCasesOf(subject).filter(
      ({ fixture, golden }) => fixture.transport === 'tcp' && golden.messages?.length,
    );
    for (const { fixture, place, wire, state, golden } of reported.slice(0, 6)) {
      const want = goldenOf(golden).messages;
      // A false marker may claim what follows, but never more than one frame of the largest size.
      const copies = Math.ceil(subject.protocol.maxFrameBytes / wire.length) + 2;
      const frames = concat(...Array.from({ length: copies }, () => wire));
      for (let round = 0; round < 6 && !found.enough; round++) {
        const before = concat(random.bytes(random.int(60)), wire.subarray(0, random.int(wire.length)));
        const driver = resume(subject, fixture, state);
        const steps = [...driver.push(before, clockOf(fixture)), ...driver.push(frames, clockOf(fixture))];
        if (steps.some((step) => step.type === 'lost'))
          found.add(place, 'the connection is closed, although the protocol has markers');
        else if (!steps.some((s) => s.type === 'frame' && !difference(outcomeOf(s).messages, want))) {
          found.add(place, `never found again after ${Buffer.from(before).toString('hex')}`);
        }
      }
    }
    return found.violations;
  },
};

/** How many of the changed frames were accepted, and the first of them. */
function passedChanges(subject: Subject, frameCase: FrameCase): { count: number; first?: string } {
  const { fixture, wire, state, golden } = frameCase;
  const want = goldenOf(golden);
  let count = 0;
  let first: string | undefined;
  for (const [at, mask] of changesOf(wire.length)) {
    const changed = Uint8Array.from(wire);
    changed[at]! ^= mask;
    const outcomes = resume(subject, fixture, state).push(changed, clockOf(fixture)).map(outcomeOf);
    const bad = outcomes.find(
      (o) => carriesMeaning(o) && (o.type !== want.type || difference(o.messages, want.messages)),
    );
    if (bad === undefined) continue;
    count += 1;
    first ??= `byte ${at} ^ ${mask.toString(16)} passes as ${bad.type}: ${difference(bad.messages, want.messages) ?? ''}`;
  }
  return first === undefined ? { count } : { count, first };
}

/** Each bit of each byte, and some bytes wholly changed; of long frames every bit of a spread of bytes. */
function* changesOf(length: number): Generator<[number, number]> {
  const step = Math.max(1, Math.floor(length / 400));
  for (let at = 0; at < length; at += step) {
    for (let bit = 0; bit < 8; bit++) yield [at, 1 << bit];
    yield [at, 0xff];
  }
}

export const integrity: Rule = {
  name: 'a changed byte is refused or means the same',
  check(subject) {
    const found = new ViolationList();
    if (subject.protocol.integrity !== 'checksum') return [];
    let guarded = 0;
    for (const frameCase of frameCasesOf(subject)) {
      const { count, first } = passedChanges(subject, frameCase);
      const { unprotected } = frameCase.golden;
      if (unprotected === undefined && first !== undefined) {
        found.add(
          frameCase.place,
          `${count} changes pass; ${first}(a frame without a checksum has "unprotected": "<why>")`,
        );
      } else if (unprotected !== undefined && first === undefined) {
        found.add(frameCase.place, 'is marked unprotected, and every change is refused');
      }
      if (unprotected === undefined) guarded += 1;
      if (found.enough) break;
    }
    if (guarded === 0) found.add('fixtures', 'no frame is protected, although integrity is "checksum"');
    return found.violations;
  },
};
