import {
  CodecError,
  type Decoded,
  type FrameResult,
  type Message,
  Reader,
  type Step,
  type StreamProtocol,
} from '#codec';
import { commands } from './laws/commands.ts';
import { integrity, noise } from './laws/damage.ts';
import { badFrames, badStreams } from './laws/garbage.ts';
import { chunks, golden } from './laws/golden.ts';
import { identification } from './laws/identify.ts';
import { isolation, purity } from './laws/purity.ts';
import { vocabulary } from './laws/shape.ts';
import { roundTrip } from './laws/simulator.ts';
import type { FrameDriver, Law, Subject } from './laws/subject.ts';

/** A mistake that someone could make, planted into an otherwise right subject. */
export interface Fault {
  readonly name: string;
  /** Where the mistake can be made at all. */
  readonly concerns: (subject: Subject) => boolean;
  plant(subject: Subject): Subject;
  /** each of these must see it by itself */
  readonly seenBy: readonly Law[];
}

type AnyProtocol = StreamProtocol<unknown>;

const withProtocol = (subject: Subject, change: Partial<AnyProtocol>): Subject => ({
  ...subject,
  protocol: { ...subject.protocol, ...change },
});

const withMessages = (subject: Subject, change: (message: Message) => Message): Subject =>
  withProtocol(subject, {
    decode(frame, context): Decoded<unknown> {
      const decoded = subject.protocol.decode(frame, context);
      return { ...decoded, messages: decoded.messages.map(change) };
    },
  });

/** `frame` with its answers changed. */
const withCuts = (subject: Subject, change: (cut: FrameResult, length: number) => FrameResult): Subject =>
  withProtocol(subject, { frame: (bytes, context) => change(subject.protocol.frame(bytes, context), bytes.length) });

const withDriver = (subject: Subject, change: (driver: FrameDriver) => FrameDriver['push']): Subject => ({
  ...subject,
  drive(protocol, settings) {
    const driver = subject.drive(protocol, settings);
    return {
      push: change(driver),
      get buffered() {
        return driver.buffered;
      },
      get state() {
        return driver.state;
      },
    };
  },
});

const showsFixes = ({ fixtures }: Subject): boolean =>
  fixtures.some(({ fixture }) => JSON.stringify(fixture.frames ?? []).includes('"latitude"'));
const showsFrames = ({ fixtures }: Subject): boolean =>
  fixtures.some(({ fixture }) => fixture.transport === 'tcp' && fixture.frames !== undefined);

const scales: readonly Fault[] = [
  {
    name: 'a wrong scale of speed (knots for km/h)',
    concerns: showsFixes,
    seenBy: [golden, roundTrip],
    plant: (subject) =>
      withMessages(subject, (m) => (m.type === 'position' && m.speed ? { ...m, speed: m.speed / 1.852 } : m)),
  },
  {
    name: 'a wrong scale of coordinates (one part in ten thousand)',
    concerns: showsFixes,
    seenBy: [golden, roundTrip],
    plant: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' && m.latitude !== undefined ? { ...m, latitude: m.latitude * 0.9999 } : m,
      ),
  },
  {
    name: 'a time zone that is ignored',
    concerns: showsFixes,
    seenBy: [golden, roundTrip],
    plant: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' && m.fixTime !== undefined ? { ...m, fixTime: m.fixTime + 3_600_000 } : m,
      ),
  },
];

const checksums: readonly Fault[] = [
  {
    name: 'an ignored checksum',
    concerns: ({ protocol }) => protocol.integrity === 'checksum',
    seenBy: [integrity],
    plant: (subject) => withProtocol(subject, { verify: () => true }),
  },
];

const drivers: readonly Fault[] = [
  {
    name: 'a driver that loses the first byte after a pause',
    concerns: showsFrames,
    seenBy: [chunks],
    plant: (subject) =>
      withDriver(
        subject,
        (driver) => (chunk, now) => driver.push(driver.buffered > 0 ? chunk.subarray(1) : chunk, now),
      ),
  },
  {
    name: 'a driver that sees one byte of the last chunk twice',
    concerns: showsFrames,
    seenBy: [chunks],
    plant: (subject) =>
      withDriver(subject, (driver) => (chunk, now) => {
        const again = driver.buffered > 0 ? [chunk[0]!, ...chunk] : chunk;
        return driver.push(Uint8Array.from(again), now);
      }),
  },
  {
    name: 'a driver that waits for one byte more than a frame has',
    concerns: showsFrames,
    seenBy: [chunks],
    plant: (subject) =>
      withDriver(subject, (driver) => {
        let last: Uint8Array | undefined;
        return (chunk, now) => {
          const steps: Step[] = last === undefined ? [] : driver.push(last, now);
          if (chunk.length > 1) steps.push(...driver.push(chunk.subarray(0, -1), now));
          last = chunk.slice(-1);
          return steps;
        };
      }),
  },
  {
    name: 'frames that end one byte early',
    concerns: showsFrames,
    seenBy: [chunks],
    plant: (subject) => withCuts(subject, (cut) => (cut.type === 'frame' ? { ...cut, end: cut.end - 1 } : cut)),
  },
  {
    name: 'frames that end one byte late',
    concerns: showsFrames,
    seenBy: [chunks],
    plant: (subject) =>
      withCuts(subject, (cut, length) => {
        if (cut.type !== 'frame') return cut;
        return cut.end < length ? { ...cut, end: cut.end + 1 } : { type: 'wait', atLeast: cut.end + 1 };
      }),
  },
];

const states: readonly Fault[] = [
  {
    name: 'a state that is written to',
    concerns: showsFrames,
    seenBy: [purity],
    plant: (subject) => {
      const initialState = (deviceId?: string): unknown => ({
        inner: subject.protocol.initialState(deviceId),
        count: 0,
      });
      const inner = (context: { readonly state: unknown }) => ({ ...context, state: (context.state as Counted).inner });
      const { frame, verify, decode, acknowledgeUndecoded } = subject.protocol;
      return withProtocol(subject, {
        initialState,
        frame: (bytes, context) => frame(bytes, inner(context) as typeof context),
        ...(verify ? { verify: (bytes, context) => verify(bytes, inner(context) as typeof context) } : {}),
        ...(acknowledgeUndecoded
          ? { acknowledgeUndecoded: (bytes, context) => acknowledgeUndecoded(bytes, inner(context) as typeof context) }
          : {}),
        decode(bytes, context) {
          (context.state as Counted).count += 1;
          const decoded = decode(bytes, inner(context) as typeof context);
          return { ...decoded, state: { ...(context.state as Counted), inner: decoded.state } };
        },
      });
    },
  },
  {
    name: 'replies built in one shared buffer',
    seenBy: [isolation],
    // a protocol that always says the same may keep its words
    concerns: ({ fixtures }) => {
      const decoded = fixtures.flatMap(({ fixture }) => fixture.frames ?? []).filter((f) => f.messages !== undefined);
      return new Set(decoded.flatMap((f) => f.replies.map(({ wire }) => wire))).size > 1;
    },
    plant: (subject) => {
      const shared = new Uint8Array(4096);
      return withProtocol(subject, {
        decode(frame, context) {
          const decoded = subject.protocol.decode(frame, context);
          const replies = decoded.replies.map((reply) => {
            shared.set(reply.bytes);
            return { ...reply, bytes: shared.subarray(0, reply.bytes.length) };
          });
          return { ...decoded, replies };
        },
      });
    },
  },
];

interface Counted {
  readonly inner: unknown;
  count: number;
}

const crashes: readonly Fault[] = [
  {
    name: 'a bug that leaves the codec instead of a CodecError',
    concerns: showsFrames,
    seenBy: [badFrames],
    plant: (subject) =>
      withProtocol(subject, {
        decode(frame, context) {
          try {
            return subject.protocol.decode(frame, context);
          } catch (error) {
            throw error instanceof CodecError ? new TypeError('Cannot read properties of undefined') : error;
          }
        },
      }),
  },
];

/** Who names values gives them. */
const keepsTypes = (subject: Subject): boolean => showsFixes(subject) && subject.protocol.ownKeys !== true;

const words: readonly Fault[] = [
  {
    name: 'an attribute that the vocabulary has with another type',
    concerns: keepsTypes,
    seenBy: [vocabulary],
    plant: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' ? { ...m, attributes: { ...m.attributes, ignition: 'on' } } : m,
      ),
  },
  {
    name: 'an alarm that nobody knows',
    concerns: keepsTypes,
    seenBy: [vocabulary],
    plant: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' ? { ...m, attributes: { ...m.attributes, alarm: 'sos,help' } } : m,
      ),
  },
  {
    name: 'a command with one byte changed',
    concerns: ({ protocol }) => Object.keys(protocol.commands).length > 0,
    seenBy: [commands],
    plant: (subject) =>
      withProtocol(subject, {
        commands: Object.fromEntries(
          Object.entries(subject.protocol.commands).map(([name, command]) => {
            const encode: typeof command.encode = (params, context) =>
              command.encode(params, context).map((byte, at) => (at === 2 ? byte ^ 1 : byte));
            return [name, { ...command, encode }];
          }),
        ),
      }),
  },
];

const streams: readonly Fault[] = [
  {
    name: 'noise that is waited on',
    concerns: (subject) => showsFrames(subject) && subject.protocol.resync === 'marker',
    seenBy: [noise],
    plant: (subject) => withCuts(subject, (cut) => (cut.type === 'skip' ? { type: 'wait' } : cut)),
  },
  {
    name: 'a search that does not move on',
    concerns: (subject) => showsFrames(subject) && subject.protocol.resync === 'marker',
    seenBy: [badStreams],
    plant: (subject) => withCuts(subject, (cut) => (cut.type === 'skip' ? { type: 'skip', bytes: 0 } : cut)),
  },
  {
    name: 'first bytes that are not known again',
    concerns: ({ protocol }) => protocol.identify !== undefined,
    seenBy: [identification],
    plant: (subject) => withProtocol(subject, { identify: () => 'no' }),
  },
];

export const faults: readonly Fault[] = [
  ...[...scales, ...checksums, ...drivers, ...states, ...crashes],
  ...[...words, ...streams],
];

/** Runs with another way to move a Reader on. */
function withTake<T>(replacement: (this: Reader, count: number) => number, run: () => T): T {
  const { take } = Reader.prototype;
  Reader.prototype.take = replacement;
  try {
    return run();
  } finally {
    Reader.prototype.take = take;
  }
}

/** Runs with a Reader that no longer minds its end. */
export function withoutReaderBounds<T>(run: () => T): T {
  return withTake(function (count) {
    const at = this.offset;
    this.offset = at + count;
    return at;
  }, run);
}

/** How many reads a Reader refuses, because they go past its end. */
export function countRefusedReads(run: () => void): number {
  const { take } = Reader.prototype;
  let refused = 0;
  withTake(function (count) {
    if (this.offset + count > this.end) refused += 1;
    return take.call(this, count);
  }, run);
  return refused;
}
