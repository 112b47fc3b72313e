import fc from 'fast-check';
import {
  type DriverStep,
  type Message,
  type Position,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toHex,
} from '#codec';
import { wireBytes } from '../../support/fixtures.ts';
import { concat } from '../../support/random.ts';
import { type FrameDriver, type Rule, type Subject, ViolationList } from './subject.ts';

const DEVICE = '356307042441013';
const NOW = Date.UTC(2024, 5, 1, 12);

const open = (subject: Subject): FrameDriver =>
  subject.drive(subject.protocol, { transport: subject.protocol.transports[0] ?? 'tcp', options: {} });

const messagesOf = (steps: readonly DriverStep[]): Message[] =>
  steps.flatMap((s) => (s.type === 'frame' ? [...s.messages] : []));

/** What the server would send for these steps, as bytes on the wire. */
const repliesOf = (steps: readonly DriverStep[], when: 'stored' | 'refused'): Uint8Array =>
  concat(
    ...steps
      .flatMap((s) => ('replies' in s ? s.replies.filter((r) => r.when === when || r.when === 'received') : []))
      .map((r) => r.bytes),
  );

/** Logs the simulated device in; undefined where nothing is sent for that. */
function logIn(subject: Subject, driver: FrameDriver): DriverStep[] | undefined {
  const login = subject.protocol.simulator.login?.(DEVICE, 1);
  return login === undefined ? undefined : driver.push(login, NOW);
}

/** By its id, or what the message has room for of it. Records of relays name their device each. */
function namesDevice(messages: readonly Message[], { idOf }: Simulator): boolean {
  const names = messages.flatMap((m) => (m.type === 'login' ? m.ids : (m.deviceId ?? [])));
  return names.includes(idOf?.(DEVICE) ?? DEVICE);
}

// where formats write zeros for a place that is not known, no device can say that it is there
const isUnknown = ({ latitude, longitude }: SimulatedFix): boolean =>
  Math.abs(latitude) < 0.001 && Math.abs(longitude) < 0.001;

const anyFix: fc.Arbitrary<SimulatedFix> = fc.record({
  time: fc.integer({ min: Date.UTC(2020, 0, 1) / 1000, max: Date.UTC(2035, 0, 1) / 1000 }).map((s) => s * 1000),
  latitude: fc.integer({ min: -85_000_000, max: 85_000_000 }).map((n) => n / 1e6),
  longitude: fc.integer({ min: -179_900_000, max: 179_900_000 }).map((n) => n / 1e6),
  speed: fc.integer({ min: 0, max: 200 }),
  course: fc.integer({ min: 0, max: 359 }),
  ignition: fc.boolean(),
});
const fix = anyFix.filter((one) => !isUnknown(one));

type Reported = Readonly<Record<'course' | 'speed', boolean>>;

/** How the decoded record deviates from the fix that the device encoded. Wire formats round: knots, two degrees of course. */
function deviations(position: Position | undefined, want: SimulatedFix, reported: Reported): string | undefined {
  if (position === undefined) return 'there is no position';
  const off = (name: 'latitude' | 'longitude' | 'speed', by: number): boolean =>
    !(Math.abs((position[name] ?? Number.NaN) - want[name]) <= by);
  if (position.outdated) return 'outdated';
  if (!position.valid) return 'not valid, though the device has a fix';
  if (position.fixTime !== want.time) return `fixTime ${position.fixTime}, not ${want.time}`;
  if (off('latitude', 1e-5) || off('longitude', 1e-5)) return `at ${position.latitude}, ${position.longitude}`;
  if (reported.speed && off('speed', 1)) return `speed ${position.speed}, not ${want.speed}`;
  const courseDifference = Math.abs((position.course ?? Number.NaN) - want.course);
  if (reported.course && !(Math.min(courseDifference, 360 - courseDifference) <= 1))
    return `course ${position.course}, not ${want.course}`;
  const { ignition } = position.attributes;
  return ignition === undefined || ignition === want.ignition ? undefined : `ignition ${ignition}`;
}

/** Some devices report no course or no speed: then no fixture without options has one. */
export const reports = ({ fixtures }: Subject, name: 'course' | 'speed'): boolean =>
  fixtures.some(
    ({ fixture }) => fixture.options === undefined && JSON.stringify(fixture.frames ?? []).includes(`"${name}"`),
  );

/** A rule over each transport: what speaks by datagrams may write other messages there. */
const overEach = ({ name, check }: Rule): Rule => ({
  name,
  check: (subject, all) =>
    subject.protocol.transports.flatMap((transport) => {
      const { simulator } = subject.protocol;
      const ofTransport = (transport === 'udp' ? simulator.datagrams : undefined) ?? simulator;
      const protocol = { ...subject.protocol, transports: [transport], simulator: ofTransport };
      return check({ ...subject, protocol }, all).map((violation) => `${transport}: ${violation}`);
    }),
});

export const roundTrip = overEach({
  name: 'what the simulated device sends is what is decoded',
  check(subject) {
    const { simulator } = subject.protocol;
    const reported = { course: reports(subject, 'course'), speed: reports(subject, 'speed') };
    const found = new ViolationList();
    const session = open(subject);
    const login = logIn(subject, session);
    if (login !== undefined && !namesDevice(messagesOf(login), simulator))
      found.add('login', `does not name ${DEVICE}`);
    const most = Math.min(simulator.fixesPerReport ?? 1, 30);
    const result = fc.check(
      fc.property(
        fc.array(fix, { minLength: 1, maxLength: most }),
        fc.integer({ min: 0, max: 0xffff }),
        (fixes, serial) => {
          const driver = open(subject);
          logIn(subject, driver);
          const frame = simulator.report(fixes, DEVICE, serial);
          const steps = driver.push(frame, NOW);
          if (steps.length !== 1)
            throw new Error(`${steps.length} steps (${steps.map((s) => s.type)}) for ${toHex(frame)}`);
          const messages = messagesOf(steps);
          if (login === undefined && !namesDevice(messages, simulator))
            throw new Error(`${toHex(frame)} does not name ${DEVICE}`);
          const positions = messages.filter((m) => m.type === 'position');
          if (positions.length !== fixes.length) throw new Error(`${positions.length} positions of ${fixes.length}`);
          for (const [index, want] of fixes.entries()) {
            const problem = deviations(positions[index], want, reported);
            if (problem !== undefined) throw new Error(`${problem} in ${toHex(frame)}`);
          }
        },
      ),
      { seed: 7, numRuns: 200 },
    );
    if (result.failed) found.add('report', String(result.errorInstance ?? 'interrupted'));
    const heartbeat = simulator.heartbeat?.(DEVICE, 3);
    if (heartbeat !== undefined) {
      const steps = session.push(heartbeat, NOW);
      if (steps.length !== 1 || steps[0]?.type !== 'frame') found.add('heartbeat', `gives ${steps.map((s) => s.type)}`);
    }
    return found.violations;
  },
});

/** What the device reads out of server bytes; undefined when it does not read all of them. */
function readAll(simulator: Simulator, bytes: Uint8Array): ServerMessage[] | undefined {
  const serverMessages: ServerMessage[] = [];
  let at = 0;
  while (at < bytes.length) {
    const next = simulator.read(bytes.subarray(at));
    if (next === undefined || next.bytes < 1 || at + next.bytes > bytes.length) return undefined;
    serverMessages.push(next.message);
    at += next.bytes;
  }
  return serverMessages;
}

const kinds = (serverMessages: readonly ServerMessage[] | undefined): string =>
  serverMessages === undefined ? 'no whole message' : serverMessages.map((s) => s.type).join(', ') || 'nothing';

export const replies = overEach({
  name: 'the simulated device reads the replies of the server',
  check(subject) {
    const found = new ViolationList();
    const { simulator } = subject.protocol;
    const driver = open(subject);
    const login = logIn(subject, driver);
    if (login !== undefined) {
      const serverMessages = readAll(simulator, repliesOf(login, 'stored'));
      if (!serverMessages?.some((s) => s.type === 'admitted')) found.add('login', `read as ${kinds(serverMessages)}`);
      const refusal = repliesOf(login, 'refused');
      if (refusal.length > 0 && !readAll(simulator, refusal)?.some((s) => s.type === 'refused')) {
        found.add('refusal', `read as ${kinds(readAll(simulator, refusal))}`);
      }
    }
    const one = { time: NOW - 1000, latitude: 48.1, longitude: 11.6, speed: 50, course: 90, ignition: true };
    const fixes = Array.from({ length: Math.min(simulator.fixesPerReport ?? 1, 10) }, (_, i) => ({
      ...one,
      time: one.time - i * 1000,
    }));
    const answered = repliesOf(driver.push(simulator.report(fixes, DEVICE, 2), NOW), 'stored');
    const serverMessages = readAll(simulator, answered);
    const acknowledged = (serverMessages ?? []).reduce(
      (sum, s) => sum + (s.type === 'acknowledged' ? s.reports : 0),
      0,
    );
    if (serverMessages === undefined) found.add('report', `${toHex(answered)} is not read to its end`);
    if (acknowledged !== (simulator.acknowledges === false ? 0 : 1))
      found.add('report', `${acknowledged} reports acknowledged by ${toHex(answered)}`);
    for (let length = 0; length < answered.length; length++) {
      const early = simulator.read(answered.slice(0, length));
      if (early !== undefined && early.bytes > length) found.add('report', `reads ${early.bytes} of ${length} bytes`);
    }
    return found.violations;
  },
});

/** Encoded commands: those of fixtures, and one with its own ticket. */
function commandFrames({ protocol, fixtures }: Subject): { type: string; ticket: string; bytes: Uint8Array }[] {
  const shown = fixtures.flatMap(({ fixture }) =>
    (fixture.commands ?? []).map(({ type, ticket = '0', wire }) => ({ type, ticket, bytes: wireBytes(wire) })),
  );
  const { custom } = protocol.commands;
  if (custom === undefined) return shown;
  const example = fixtures.flatMap(({ fixture }) => fixture.commands ?? []).find(({ type }) => type === 'custom');
  if (example === undefined) return shown;
  const context = { state: protocol.initialState(DEVICE), deviceId: DEVICE, options: {}, ticket: '7', now: NOW };
  return [...shown, { type: 'custom', ticket: '7', bytes: custom.encode(example.params, context) }];
}

export const answers: Rule = {
  name: 'the simulated device reads commands, and its answers are decoded as answers',
  check(subject) {
    const found = new ViolationList();
    const { simulator, correlation } = subject.protocol;
    for (const { type, ticket, bytes } of commandFrames(subject)) {
      const serverMessages = readAll(simulator, bytes);
      const command = serverMessages?.[0];
      if (command?.type !== 'command' || serverMessages?.length !== 1) {
        found.add(type, `${toHex(bytes)} is read as ${kinds(serverMessages)}`);
        continue;
      }
      if (simulator.answer === undefined || correlation === 'none') continue;
      for (const outcome of ['done', 'refused'] as const) {
        const driver = open(subject);
        logIn(subject, driver);
        const answer = simulator.answer(command.frame, outcome, DEVICE, 5);
        const reported = messagesOf(driver.push(answer, NOW)).filter((m) => m.type === 'answer');
        if (reported.length !== 1) found.add(type, `${reported.length} answers in ${toHex(answer)}`);
        else if (correlation === 'ticket' && reported[0]?.ticket !== ticket)
          found.add(type, `ticket ${reported[0]?.ticket}, not ${ticket}`);
        else if (reported[0]?.command !== subject.protocol.commandName?.(bytes))
          found.add(type, `answers ${reported[0]?.command}, not ${subject.protocol.commandName?.(bytes)}`);
        else if (outcome === 'done' && reported[0]?.outcome !== 'done') found.add(type, 'done is decoded as refused');
      }
      if (found.enough) break;
    }
    return found.violations;
  },
};
