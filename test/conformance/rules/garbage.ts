import { CodecError, type DecodeContext, type StreamProtocol, toHex } from '#codec';
import { concat, createRandom, mutate, type Random } from '../../support/random.ts';
import { shapeProblems } from './shape.ts';
import {
  clockOf,
  type FrameCase,
  frameCasesOf,
  type Rule,
  type Subject,
  settingsOf,
  ViolationList,
} from './subject.ts';

/** Damaged frames: every prefix of a short one, mutations, random bytes. */
function* damagedCopies(frame: Uint8Array, all: readonly Uint8Array[], random: Random): Generator<Uint8Array> {
  const rounds = Math.max(20, Math.min(100, Math.floor(5_000 / all.length)));
  for (let size = 0; size < Math.min(frame.length, 300); size++) {
    yield frame.slice(0, frame.length <= 300 ? size : random.int(frame.length));
  }
  for (let round = 0; round < rounds; round++) yield mutate(frame, random.pick(all), random);
  for (let round = 0; round < 10; round++) yield random.bytes(random.int(120));
}

const contextOf = ({ fixture, state }: FrameCase): DecodeContext<unknown> => ({
  transport: fixture.transport,
  state,
  options: fixture.options ?? {},
  now: clockOf(fixture),
});

/** What a codec does wrong with these bytes, passed to it without framing and checksum. */
export function decodeProblems(
  protocol: StreamProtocol<unknown>,
  frame: Uint8Array,
  context: DecodeContext<unknown>,
): string[] {
  try {
    protocol.verify?.(frame, context);
  } catch (error) {
    return [`verify throws ${error}`];
  }
  try {
    const { messages } = protocol.decode(frame, context);
    const many = messages.length > frame.length + 2 ? [`${messages.length} messages from ${frame.length} bytes`] : [];
    return [...many, ...messages.flatMap((message) => shapeProblems(message, protocol))];
  } catch (error) {
    if (!(error instanceof CodecError)) return [`decode throws ${describe(error)}`];
  }
  try {
    protocol.acknowledgeUndecoded?.(frame, context);
    return [];
  } catch (error) {
    return [`acknowledgeUndecoded throws ${describe(error)}`];
  }
}

const describe = (error: unknown): string =>
  error instanceof Error
    ? `${error.name}: ${error.message} ${error.stack?.split('\n')[1]?.trim() ?? ''}`
    : String(error);

export const badFrames: Rule = {
  name: 'damaged frames give CodecError or well-formed messages',
  check(subject) {
    const found = new ViolationList();
    const random = createRandom(4);
    const cases = frameCasesOf(subject);
    const frames = cases.map(({ content, wire }) => content ?? wire);
    for (const frameCase of cases) {
      const context = contextOf(frameCase);
      for (const frame of damagedCopies(frameCase.content ?? frameCase.wire, frames, random)) {
        for (const problem of decodeProblems(subject.protocol, frame, context)) {
          found.add(frameCase.place, `${problem} for ${toHex(frame)}`);
        }
        if (found.enough) return found.violations;
      }
    }
    return found.violations;
  },
};

/** Counts the driver's calls of `frame`, and checks each result. */
export function countingProtocol(protocol: StreamProtocol<unknown>, problems: (text: string) => void) {
  const count = { calls: 0 };
  const watched: StreamProtocol<unknown> = {
    ...protocol,
    frame(bytes, context) {
      count.calls += 1;
      const result = protocol.frame(bytes, context);
      const { length } = bytes;
      if (result.type === 'skip' && !(result.bytes >= 1 && result.bytes <= length))
        problems(`skips ${result.bytes} of ${length}`);
      if (result.type === 'wait' && result.atLeast !== undefined && !(result.atLeast > length)) {
        problems(`waits for ${result.atLeast} bytes and has ${length}`);
      }
      if (result.type === 'frame') {
        const { start, end, resumeAt = end } = result;
        if (!(start >= 0 && end > start && end <= length)) problems(`a frame from ${start} to ${end} of ${length}`);
        if (!(resumeAt > start && resumeAt <= end)) problems(`resumes at ${resumeAt} after ${start} to ${end}`);
        if (end - start > protocol.maxFrameBytes) problems(`a frame of ${end - start} bytes`);
      }
      return result;
    },
  };
  return { watched, count };
}

/** Feeds a stream in random chunks and reports where the driver stalls, grows or loses bytes. */
export function streamProblems(subject: Subject, frameCase: FrameCase, stream: Uint8Array, random: Random): string[] {
  const problems: string[] = [];
  const { watched, count } = countingProtocol(subject.protocol, (text) => problems.push(text));
  const driver = subject.drive({ ...watched, initialState: () => frameCase.state }, settingsOf(frameCase.fixture));
  let accounted = 0;
  let refused = false;
  let pushed = 0;
  for (let from = 0; from < stream.length && problems.length === 0; ) {
    const to = Math.min(stream.length, from + 1 + random.int(random.pick([1, 10, 100, 2_000])));
    const before = driver.buffered;
    count.calls = 0;
    const steps = driver.push(stream.slice(from, to), clockOf(frameCase.fixture));
    pushed += to - from;
    for (const step of steps) {
      if (step.type === 'bad-checksum') refused = true;
      if (step.type === 'lost') return problems;
      accounted += step.bytes.length;
      if (step.type === 'frame') {
        for (const message of step.messages) problems.push(...shapeProblems(message, subject.protocol));
      }
    }
    if (driver.buffered > subject.protocol.maxFrameBytes) problems.push(`holds ${driver.buffered} bytes`);
    if (count.calls > before + (to - from) + 1) problems.push(`${count.calls} calls for ${before + to - from} bytes`);
    // A refused frame may be looked into again, so its bytes count twice.
    if (!refused && accounted + driver.followed + driver.buffered !== pushed) {
      problems.push(
        `${pushed} bytes in, ${accounted} reported, ${driver.followed} passed over, ${driver.buffered} held`,
      );
    }
    from = to;
  }
  return problems;
}

export const badStreams: Rule = {
  name: 'damaged streams never stall the driver nor grow its buffer',
  check(subject) {
    const found = new ViolationList();
    const random = createRandom(5);
    const cases = frameCasesOf(subject);
    const wires = cases.map(({ wire }) => wire);
    for (const frameCase of cases) {
      for (let round = 0; round < 40; round++) {
        const parts = Array.from({ length: 1 + random.int(6) }, () =>
          random.int(4) === 0 ? random.bytes(random.int(50)) : mutate(random.pick(wires), random.pick(wires), random),
        );
        const stream = concat(...parts);
        try {
          for (const problem of streamProblems(subject, frameCase, stream, random)) {
            found.add(frameCase.place, `${problem} in ${toHex(stream)}`);
          }
        } catch (error) {
          found.add(frameCase.place, `${describe(error)} in ${toHex(stream)}`);
        }
        if (found.enough) return found.violations;
      }
    }
    return found.violations;
  },
};
