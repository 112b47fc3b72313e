import type { DriverStep } from '#codec';
import { checkProtocol } from '../../../src/codec/catalogue/check.ts';
import { wireBytes } from '../../support/fixtures.ts';
import { concat, createRandom } from '../../support/random.ts';
import {
  clockOf,
  difference,
  type FrameDriver,
  frameCasesOf,
  type GoldenFrame,
  goldenOf,
  type Outcome,
  outcomeOf,
  type Rule,
  resume,
  type Subject,
  start,
  ViolationList,
} from './subject.ts';

export const facts: Rule = {
  name: 'its facts and fixtures are valid',
  check({ protocol, fixtures }) {
    const found = new ViolationList();
    for (const problem of checkProtocol(protocol.id, protocol)) found.add('index.ts', problem);
    if (fixtures.length === 0) found.add('fixtures', 'there is no fixture');
    for (const { name, fixture } of fixtures) {
      if (!fixture.title || !fixture.source) found.add(name, 'title and source are required');
      if (!(fixture.frames?.length || fixture.commands?.length)) found.add(name, 'it has neither frames nor commands');
      const options = [fixture.options ?? {}, ...(fixture.commands ?? []).map((command) => command.options ?? {})];
      for (const key of options.flatMap((declared) => Object.keys(declared))) {
        if (!Object.hasOwn(protocol.options, key)) found.add(name, `option ${key} is not declared`);
      }
      for (const { wire } of [...(fixture.frames ?? []), ...(fixture.commands ?? [])]) {
        if (!/^(text:|([0-9a-f]{2})+$)/.test(wire)) found.add(name, `wire is neither lower-case hex nor text: ${wire}`);
      }
    }
    return found.violations;
  },
};

const isReported = (outcome: Outcome): boolean => outcome.type !== 'skipped';

const skippedBytes = (steps: readonly DriverStep[]): number =>
  steps.reduce((sum, step) => sum + (step.type === 'skipped' ? step.bytes.length : 0), 0);

export const golden: Rule = {
  name: 'a fixture decodes to its golden messages and replies',
  check(subject) {
    const found = new ViolationList();
    for (const { name, fixture } of subject.fixtures) {
      const driver = start(subject, fixture);
      for (const [index, frame] of (fixture.frames ?? []).entries()) {
        const steps = driver.push(wireBytes(frame.wire), clockOf(fixture));
        const differs =
          difference(steps.map(outcomeOf).filter(isReported), [goldenOf(frame)]) ??
          difference(skippedBytes(steps), frame.skips ?? 0, 'number of bytes passed over');
        if (differs) found.add(`${name} frame ${index}`, differs);
        if (driver.buffered > 0) found.add(`${name} frame ${index}`, `${driver.buffered} bytes are left over`);
        if (differs || driver.buffered > 0) break;
      }
    }
    return found.violations;
  },
};

/** Pushes a stream in chunks that end at these offsets and returns the outcomes. */
function runInChunks(driver: FrameDriver, now: number, stream: Uint8Array, offsets: readonly number[]) {
  const outcomes: Outcome[] = [];
  let skips = 0;
  let from = 0;
  for (const to of [...offsets, stream.length]) {
    // A copy: the driver must not keep bytes that a socket will overwrite.
    const chunk = stream.slice(from, to);
    const steps = driver.push(chunk, now);
    outcomes.push(...steps.map(outcomeOf).filter(isReported));
    skips += skippedBytes(steps);
    chunk.fill(0xa5);
    from = to;
  }
  return { outcomes, skips };
}

const expectedOf = (frames: readonly GoldenFrame[]) => ({
  outcomes: frames.map(goldenOf),
  skips: frames.reduce((sum, { skips = 0 }) => sum + skips, 0),
});

export const chunks: Rule = {
  name: 'the same byte by byte and split anywhere',
  check(subject) {
    const found = new ViolationList();
    const random = createRandom(1);
    for (const { name, fixture } of subject.fixtures) {
      if (fixture.transport !== 'tcp' || fixture.frames === undefined) continue;
      const stream = concat(...fixture.frames.map(({ wire }) => wireBytes(wire)));
      const want = expectedOf(fixture.frames);
      const attempt = (what: string, offsets: readonly number[]): void => {
        if (found.enough) return;
        const differs = difference(runInChunks(start(subject, fixture), clockOf(fixture), stream, offsets), want);
        if (differs) found.add(name, `${what}: ${differs}`);
      };
      attempt('in one chunk', []);
      attempt(
        'byte by byte',
        Array.from({ length: stream.length - 1 }, (_, at) => at + 1),
      );
      for (let pair = 0; pair < 30 && stream.length > 2; pair++) {
        const offsets = [1 + random.int(stream.length - 1), 1 + random.int(stream.length - 1)].sort((a, b) => a - b);
        attempt(`split at ${offsets}`, offsets);
      }
    }
    splitEveryFrame(subject, found);
    return found.violations;
  },
};

/** Every offset of the head and of the tail; of what lies between in a long frame, every thirteenth. */
function* splitsOf(last: number): Generator<number> {
  const [head, tail, step] = [128, 32, 13];
  for (let at = 1; at <= last; at += at < head || at >= last - tail ? 1 : step) yield at;
}

/** Each frame with the frame that follows it, split where a part may end. */
function splitEveryFrame(subject: Subject, found: ViolationList): void {
  const cases = frameCasesOf(subject).filter(({ fixture }) => fixture.transport === 'tcp');
  for (const [index, { fixture, place, wire, state, golden: frame }] of cases.entries()) {
    const next = cases[index + 1];
    const follows = next?.fixture === fixture ? next : undefined;
    const stream = follows === undefined ? wire : concat(wire, follows.wire);
    const want = expectedOf(follows === undefined ? [frame] : [frame, follows.golden]);
    for (const at of splitsOf(Math.min(wire.length, stream.length - 1))) {
      if (found.enough) return;
      const got = runInChunks(resume(subject, fixture, state), clockOf(fixture), stream, [at]);
      const differs = difference(got, want);
      if (differs) found.add(place, `split at ${at}: ${differs}`);
    }
  }
}

export const repetition: Rule = {
  name: 'twice in one chunk is twice the result',
  check(subject) {
    const found = new ViolationList();
    for (const { fixture, place, wire, state, golden: frame } of frameCasesOf(subject)) {
      if (fixture.transport !== 'tcp') continue;
      const now = clockOf(fixture);
      const apart = resume(subject, fixture, state);
      const together = resume(subject, fixture, state);
      const want = [...apart.push(wire, now), ...apart.push(wire, now)].map(outcomeOf).filter(isReported);
      const got = together.push(concat(wire, wire), now).map(outcomeOf).filter(isReported);
      const differs = difference(got, want);
      if (differs) found.add(place, `in one chunk: ${differs}`);
      if (got.length !== 2) found.add(place, `twice gives ${got.length} steps: ${got.map((o) => o.type)}`);
      const again = difference(got[1]?.type, goldenOf(frame).type);
      if (again) found.add(place, `the second time: ${again}`);
      if (found.enough) break;
    }
    return found.violations;
  },
};
