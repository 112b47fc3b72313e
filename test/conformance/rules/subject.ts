import { Driver, type DriverSettings, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { asFixture, type Fixture, wireBytes } from '../../support/fixtures.ts';

/** What the rules run over: a protocol, its fixtures, and the driver that feeds it. */
export interface Subject {
  readonly protocol: StreamProtocol<unknown>;
  readonly fixtures: readonly NamedFixture[];
  /** the real driver, unless a mutation replaces it */
  drive(protocol: StreamProtocol<unknown>, settings: DriverSettings): FrameDriver;
}

export interface NamedFixture {
  readonly name: string;
  readonly fixture: Fixture;
}

export type FrameDriver = Pick<Driver<unknown>, 'push' | 'buffered' | 'followed' | 'state'>;

/** Describes the violation with fixture and place. */
export type Violation = string;

export interface Rule {
  readonly name: string;
  check(subject: Subject, all: readonly Subject[]): Violation[];
}

export function createSubject(protocol: StreamProtocol, fixtures: readonly NamedFixture[]): Subject {
  return { protocol, fixtures, drive: (driven, settings) => new Driver(driven, settings) };
}

/** A step in the form of fixtures, so that it can be kept and compared. */
export interface Outcome {
  readonly type: DriverStep['type'];
  readonly messages?: readonly unknown[];
  readonly replies?: readonly { readonly when: string; readonly wire: string }[];
}

export function outcomeOf(step: DriverStep): Outcome {
  return {
    type: step.type,
    ...(step.type === 'frame' ? { messages: step.messages.map(asFixture) } : {}),
    ...('replies' in step ? { replies: step.replies.map(({ when, bytes }) => ({ when, wire: toHex(bytes) })) } : {}),
  };
}

export type GoldenFrame = NonNullable<Fixture['frames']>[number];

export function goldenOf(frame: GoldenFrame): Outcome {
  return {
    type: frame.messages === undefined ? 'undecoded' : 'frame',
    ...(frame.messages === undefined ? {} : { messages: frame.messages.map(inFixtureForm) }),
    replies: frame.replies.map(({ when, wire }) => ({ when, wire: toHex(wireBytes(wire)) })),
  };
}

/** Times are written with or without milliseconds. */
function inFixtureForm(message: unknown): unknown {
  const times = ['deviceTime', 'fixTime'] as const;
  const copy = { ...(message as Record<string, unknown>) };
  for (const name of times) {
    const value = copy[name];
    if (typeof value === 'string') copy[name] = new Date(value).toISOString();
  }
  return copy;
}

export const clockOf = (fixture: Fixture): number => Date.parse(fixture.now ?? '2024-06-01T12:00:00Z');

export const settingsOf = (fixture: Fixture): DriverSettings => ({
  transport: fixture.transport,
  options: fixture.options ?? {},
  ...(fixture.deviceId === undefined ? {} : { deviceId: fixture.deviceId }),
});

export const start = (subject: Subject, fixture: Fixture): FrameDriver =>
  subject.drive(subject.protocol, settingsOf(fixture));

/** A driver that continues from a state. */
export const resume = (subject: Subject, fixture: Fixture, state: unknown): FrameDriver =>
  subject.drive({ ...subject.protocol, initialState: () => state }, settingsOf(fixture));

export interface FrameCase {
  readonly fixture: Fixture;
  readonly place: string;
  readonly golden: GoldenFrame;
  readonly wire: Uint8Array;
  /** state before the frame */
  readonly state: unknown;
  /** the frame passed to `decode`, unescaped; undefined where framing or checksum rejected it */
  readonly content: Uint8Array | undefined;
}

/** Every frame of every fixture with the state before it. */
export function frameCasesOf(subject: Subject): FrameCase[] {
  return subject.fixtures.flatMap(({ name, fixture }) => {
    let content: Uint8Array | undefined;
    const watched: StreamProtocol<unknown> = {
      ...subject.protocol,
      decode: (frame, context) => {
        content = Uint8Array.from(frame);
        return subject.protocol.decode(frame, context);
      },
    };
    const driver = subject.drive(watched, settingsOf(fixture));
    return (fixture.frames ?? []).map((golden, index) => {
      const wire = wireBytes(golden.wire);
      const { state } = driver;
      content = undefined;
      driver.push(wire, clockOf(fixture));
      return { fixture, place: `${name} frame ${index}`, golden, wire, state, content };
    });
  });
}

/** The first difference between two values, by path; numbers may differ by less than any unit. */
export function difference(got: unknown, want: unknown, path = ''): string | undefined {
  if (typeof got === 'number' && typeof want === 'number') {
    return Math.abs(got - want) <= Math.max(1e-6, Math.abs(want) * 1e-9) ? undefined : unequal(got, want, path);
  }
  if (typeof got !== 'object' || typeof want !== 'object' || got === null || want === null) {
    return Object.is(got, want) ? undefined : unequal(got, want, path);
  }
  const keys = new Set([...Object.keys(want), ...Object.keys(got)]);
  for (const key of keys) {
    const found = difference(got[key as keyof typeof got], want[key as keyof typeof want], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const unequal = (got: unknown, want: unknown, path: string): string =>
  `${path || 'it'} is ${brief(got)}, not ${brief(want)}`;

export function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** Collects violations; `enough` limits how many are listed. */
export class ViolationList {
  readonly violations: Violation[] = [];

  add(place: string, what: string): void {
    this.violations.push(`${place}: ${what}`);
  }

  get enough(): boolean {
    return this.violations.length >= 10;
  }
}
