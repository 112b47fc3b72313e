import {
  type Attributes,
  CodecError,
  type Decoded,
  type DriverStep,
  type FrameResult,
  type Message,
  type Position,
  Reader,
  type StreamProtocol,
} from '#codec';
import { commands } from './rules/commands.ts';
import { integrity, noise } from './rules/damage.ts';
import { messagesOf, positionsIn } from './rules/decoded.ts';
import { effects, effectsOf } from './rules/effects.ts';
import { form, placesWithoutMeaning } from './rules/form.ts';
import { badFrames, badStreams } from './rules/garbage.ts';
import { chunks, golden } from './rules/golden.ts';
import { identification } from './rules/identify.ts';
import { losesMovement, notInvented } from './rules/invented.ts';
import { kept, replied } from './rules/kept.ts';
import { missingTime } from './rules/missing-time.ts';
import { plausible } from './rules/plausible.ts';
import { isolation, purity } from './rules/purity.ts';
import { rounded } from './rules/rounded.ts';
import { several } from './rules/several.ts';
import { vocabulary } from './rules/shape.ts';
import { answers, reports, roundTrip } from './rules/simulator.ts';
import { type FrameDriver, frameCasesOf, type Rule, type Subject } from './rules/subject.ts';

/** A mistake that a developer could make, applied to a correct subject. */
export interface Mutation {
  readonly name: string;
  /** Whether the mistake is possible in this protocol. */
  readonly appliesTo: (subject: Subject) => boolean;
  apply(subject: Subject): Subject;
  /** each of these rules must detect it by itself */
  readonly caughtBy: readonly Rule[];
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

/** `frame` with its results changed. */
const withFrameResults = (subject: Subject, change: (result: FrameResult, length: number) => FrameResult): Subject =>
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
      get followed() {
        return driver.followed;
      },
      get state() {
        return driver.state;
      },
    };
  },
});

const hasFixes = ({ fixtures }: Subject): boolean =>
  fixtures.some(({ fixture }) => JSON.stringify(fixture.frames ?? []).includes('"latitude"'));
const hasFrames = ({ fixtures }: Subject): boolean =>
  fixtures.some(({ fixture }) => fixture.transport === 'tcp' && fixture.frames !== undefined);

const names: readonly Mutation[] = [
  {
    name: 'answers that name another command',
    appliesTo: ({ protocol }) => protocol.commandName !== undefined,
    caughtBy: [answers],
    apply: (subject) => withProtocol(subject, { commandName: () => 'ANOTHER' }),
  },
];

const scales: readonly Mutation[] = [
  {
    name: 'a wrong scale of speed (knots for km/h)',
    appliesTo: (subject) => hasFixes(subject) && reports(subject, 'speed'),
    caughtBy: [golden, roundTrip],
    apply: (subject) =>
      withMessages(subject, (m) => (m.type === 'position' && m.speed ? { ...m, speed: m.speed / 1.852 } : m)),
  },
  {
    name: 'a wrong scale of coordinates (one part in ten thousand)',
    appliesTo: hasFixes,
    caughtBy: [golden, roundTrip],
    apply: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' && m.latitude !== undefined ? { ...m, latitude: m.latitude * 0.9999 } : m,
      ),
  },
  {
    name: 'a time zone that is ignored',
    appliesTo: hasFixes,
    caughtBy: [golden, roundTrip],
    apply: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' && m.fixTime !== undefined ? { ...m, fixTime: m.fixTime + 3_600_000 } : m,
      ),
  },
];

const checksums: readonly Mutation[] = [
  {
    name: 'an ignored checksum',
    // a checksum of a part of each frame leaves none wholly protected
    appliesTo: ({ protocol, fixtures }) =>
      protocol.integrity === 'checksum' &&
      fixtures.some(({ fixture }) =>
        fixture.frames?.some(({ unprotected, messages = [] }) => unprotected === undefined && messages.length > 0),
      ),
    caughtBy: [integrity],
    apply: (subject) => withProtocol(subject, { verify: () => true }),
  },
];

const drivers: readonly Mutation[] = [
  {
    name: 'a driver that loses the first byte after a pause',
    appliesTo: hasFrames,
    caughtBy: [chunks],
    apply: (subject) =>
      withDriver(
        subject,
        (driver) => (chunk, now) => driver.push(driver.buffered > 0 ? chunk.subarray(1) : chunk, now),
      ),
  },
  {
    name: 'a driver that sees one byte of the last chunk twice',
    appliesTo: hasFrames,
    caughtBy: [chunks],
    apply: (subject) =>
      withDriver(subject, (driver) => (chunk, now) => {
        const again = driver.buffered > 0 ? [chunk[0]!, ...chunk] : chunk;
        return driver.push(Uint8Array.from(again), now);
      }),
  },
  {
    name: 'a driver that waits for one byte more than a frame has',
    appliesTo: hasFrames,
    caughtBy: [chunks],
    apply: (subject) =>
      withDriver(subject, (driver) => {
        let last: Uint8Array | undefined;
        return (chunk, now) => {
          const steps: DriverStep[] = last === undefined ? [] : driver.push(last, now);
          if (chunk.length > 1) steps.push(...driver.push(chunk.subarray(0, -1), now));
          last = chunk.slice(-1);
          return steps;
        };
      }),
  },
  {
    name: 'frames that end one byte early',
    appliesTo: hasFrames,
    caughtBy: [chunks],
    apply: (subject) =>
      withFrameResults(subject, (result) => (result.type === 'frame' ? { ...result, end: result.end - 1 } : result)),
  },
  {
    name: 'frames that end one byte late',
    appliesTo: hasFrames,
    caughtBy: [chunks],
    apply: (subject) =>
      withFrameResults(subject, (result, length) => {
        if (result.type !== 'frame') return result;
        return result.end < length ? { ...result, end: result.end + 1 } : { type: 'wait', atLeast: result.end + 1 };
      }),
  },
];

const states: readonly Mutation[] = [
  {
    name: 'a state that is written to',
    appliesTo: hasFrames,
    caughtBy: [purity],
    apply: (subject) => {
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
    caughtBy: [isolation],
    // a protocol that always sends the same reply may share its bytes; of alternatives the last one is what is compared
    appliesTo: ({ fixtures }) => {
      const decoded = fixtures.flatMap(({ fixture }) => fixture.frames ?? []).filter((f) => f.messages !== undefined);
      return new Set(decoded.flatMap((f) => f.replies.at(-1)?.wire ?? [])).size > 1;
    },
    apply: (subject) => {
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

const crashes: readonly Mutation[] = [
  {
    name: 'a bug that leaves the codec instead of a CodecError',
    appliesTo: hasFrames,
    caughtBy: [badFrames],
    apply: (subject) =>
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

/** Protocols whose devices name values themselves send values of any type. */
const keepsTypes = (subject: Subject): boolean => hasFixes(subject) && subject.protocol.deviceNamedKeys !== true;

const values: readonly Mutation[] = [
  {
    name: 'an attribute that the vocabulary has with another type',
    appliesTo: keepsTypes,
    caughtBy: [vocabulary],
    apply: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' ? { ...m, attributes: { ...m.attributes, ignition: 'on' } } : m,
      ),
  },
  {
    name: 'an alarm that is not in the vocabulary',
    appliesTo: keepsTypes,
    caughtBy: [vocabulary],
    apply: (subject) =>
      withMessages(subject, (m) =>
        m.type === 'position' ? { ...m, attributes: { ...m.attributes, alarm: 'sos,help' } } : m,
      ),
  },
  {
    name: 'a command with one byte changed',
    appliesTo: ({ protocol }) => Object.keys(protocol.commands).length > 0,
    caughtBy: [commands],
    apply: (subject) =>
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

/** A byte by which another form could be distinguished, and a value that the frame does not have there. */
function freePlace(subject: Subject): { head: number; at: number; value: number } | undefined {
  for (const { one, at, marks } of placesWithoutMeaning(subject)) {
    const value = [0x2c, 0x3b, 0x11].find((mark) => !marks.has(mark) && one.wire[at] !== mark);
    if (at > 1 && value !== undefined) return { head: one.wire[0]!, at, value };
  }
  return undefined;
}

const streams: readonly Mutation[] = [
  {
    name: 'noise that is kept in the buffer',
    appliesTo: (subject) => hasFrames(subject) && subject.protocol.resync === 'marker',
    caughtBy: [noise],
    apply: (subject) => withFrameResults(subject, (result) => (result.type === 'skip' ? { type: 'wait' } : result)),
  },
  {
    name: 'a search that does not move on',
    appliesTo: (subject) => hasFrames(subject) && subject.protocol.resync === 'marker',
    caughtBy: [badStreams],
    apply: (subject) =>
      withFrameResults(subject, (result) => (result.type === 'skip' ? { type: 'skip', bytes: 0 } : result)),
  },
  {
    name: 'a form that one byte distinguishes, though it may have any value',
    appliesTo: (subject) => freePlace(subject) !== undefined,
    caughtBy: [form],
    apply: (subject) => {
      const { head, at, value } = freePlace(subject)!;
      const { frame } = subject.protocol;
      return withProtocol(subject, {
        frame: (bytes, context) =>
          bytes[0] === head && bytes[at] === value ? { type: 'skip', bytes: 1 } : frame(bytes, context),
      });
    },
  },
  {
    name: 'first bytes that are not identified',
    appliesTo: ({ protocol }) => protocol.identify !== undefined,
    caughtBy: [identification],
    apply: (subject) => withProtocol(subject, { identify: () => 'no' }),
  },
];

const positionsOf = (subject: Subject) =>
  frameCasesOf(subject).flatMap((one) => positionsIn(messagesOf(subject, one, one.content ?? one.wire) ?? []));

const withPositions = (subject: Subject, change: (position: Position) => Position): Subject =>
  withMessages(subject, (m) => (m.type === 'position' ? change(m) : m));

/** Each attribute is written under the first number of its kind. */
function inOnePlace(attributes: Attributes): Attributes {
  const target: Attributes = {};
  for (const [key, value] of Object.entries(attributes)) target[key.replace(/^(temp)\d+$/, '$11')] = value;
  return target;
}

const meanings: readonly Mutation[] = [
  {
    name: 'records that are acknowledged and dropped',
    appliesTo: ({ fixtures }) =>
      fixtures.some(({ fixture }) =>
        fixture.frames?.some(
          ({ messages = [], replies }) =>
            messages.length > 0 &&
            messages.every((m) => (m as Message).type === 'position') &&
            replies.some(({ when }) => when === 'stored'),
        ),
      ),
    caughtBy: [kept],
    apply: (subject) =>
      withProtocol(subject, {
        decode(frame, context) {
          const decoded = subject.protocol.decode(frame, context);
          return { ...decoded, messages: decoded.messages.filter(({ type }) => type === 'login') };
        },
      }),
  },
  {
    name: 'a speed of 0 that was not sent',
    appliesTo: losesMovement,
    caughtBy: [notInvented],
    apply: (subject) =>
      withPositions(subject, (position) => ({
        ...position,
        altitude: position.altitude ?? 0,
        speed: position.speed ?? 0,
        course: position.course ?? 0,
      })),
  },
  {
    name: 'a date of a clock that was not set',
    appliesTo: hasFixes,
    caughtBy: [missingTime],
    apply: (subject) => withPositions(subject, (position) => ({ ...position, deviceTime: Date.UTC(2000, 0, 1) })),
  },
  {
    name: 'replies that are not sent',
    appliesTo: ({ protocol }) => (protocol.expectsReply ?? []).length > 0,
    caughtBy: [replied],
    apply: (subject) =>
      withProtocol(subject, {
        decode: (frame, context) => ({ ...subject.protocol.decode(frame, context), replies: [] }),
      }),
  },
  {
    name: 'a rounding error',
    appliesTo: (subject) => positionsOf(subject).some(({ speed = 0 }) => speed > 0),
    caughtBy: [rounded],
    apply: (subject) =>
      withPositions(subject, (position) => {
        const { speed } = position;
        return speed === undefined ? position : { ...position, speed: speed * (1 + 2 * Number.EPSILON) };
      }),
  },
  {
    name: 'a voltage in millivolts',
    appliesTo: (subject) => positionsOf(subject).some(({ attributes }) => Number(attributes['power']) > 1),
    caughtBy: [plausible],
    apply: (subject) =>
      withPositions(subject, (position) => {
        const { power } = position.attributes;
        if (typeof power !== 'number') return position;
        return { ...position, attributes: { ...position.attributes, power: power * 1000 } };
      }),
  },
  {
    name: 'temperatures that overwrite each other',
    appliesTo: (subject) =>
      positionsOf(subject).some(
        ({ attributes: { temp1, temp2 } }) => temp1 !== undefined && temp2 !== undefined && temp1 !== temp2,
      ),
    caughtBy: [several],
    apply: (subject) =>
      withPositions(subject, (position) => ({ ...position, attributes: inOnePlace(position.attributes) })),
  },
];

export const mutations: readonly Mutation[] = [
  {
    name: 'a command that nobody has classified',
    appliesTo: ({ protocol }) => effectsOf(protocol) !== undefined,
    apply: (subject) => {
      const [command] = Object.values(subject.protocol.commands);
      return withProtocol(subject, { commands: { ...subject.protocol.commands, openDoors: command! } });
    },
    caughtBy: [effects],
  },
  {
    name: 'text that may harm, sent without the scope for it',
    appliesTo: ({ protocol }) => effectsOf(protocol)?.texts.some(({ effect }) => effect === 'restart') === true,
    apply: (subject) => withProtocol(subject, { privileged: [] }),
    caughtBy: [effects],
  },
  ...names,
  ...scales,
  ...checksums,
  ...drivers,
  ...states,
  ...crashes,
  ...values,
  ...streams,
  ...meanings,
];

/** Runs with another implementation of `Reader.take`. */
function withTake<T>(replacement: (this: Reader, count: number) => number, run: () => T): T {
  const { take } = Reader.prototype;
  Reader.prototype.take = replacement;
  try {
    return run();
  } finally {
    Reader.prototype.take = take;
  }
}

/** Runs with a Reader without bounds checks. */
export function withoutReaderBounds<T>(run: () => T): T {
  return withTake(function (count) {
    const at = this.offset;
    this.offset = at + count;
    return at;
  }, run);
}

/** How many reads a Reader refuses because they go past its end. */
export function countRefusedReads(run: () => void): number {
  const { take } = Reader.prototype;
  let refused = 0;
  withTake(function (count) {
    if (this.offset + count > this.end) refused += 1;
    return take.call(this, count);
  }, run);
  return refused;
}

/** A framer that looks at all that it has whenever it is called. */
export const rescanning = (subject: Subject): Subject =>
  withProtocol(subject, {
    frame(bytes, context) {
      for (let at = 0; at < bytes.length; at++) if (bytes[at] === undefined) break;
      return subject.protocol.frame(bytes, context);
    },
  });

/** A framer that does not know how far it has searched. */
export const forgetting = (subject: Subject): Subject =>
  withProtocol(subject, {
    frame: (bytes, context) => subject.protocol.frame(bytes, { ...context, scan: undefined }),
  });
