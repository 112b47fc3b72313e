import { wireBytes } from '../../support/fixtures.ts';
import { clockOf, type Rule, type Subject, start, ViolationList } from './subject.ts';

interface Opening {
  readonly place: string;
  readonly transport: 'tcp' | 'udp';
  readonly bytes: Uint8Array;
}

/** First frames of connections: of fixtures that no device owns yet, and of the simulated device. */
function openings({ protocol, fixtures }: Subject): Opening[] {
  const recorded = fixtures.flatMap(({ name, fixture }) =>
    fixture.frames?.[0] === undefined || fixture.deviceId !== undefined
      ? []
      : [{ place: name, transport: fixture.transport, bytes: wireBytes(fixture.frames[0].wire) }],
  );
  const { simulator } = protocol;
  const fix = { time: 1_700_000_000_000, latitude: 48.1, longitude: 11.6, speed: 50, course: 90, ignition: true };
  const first = simulator.login?.(DEVICE, 1) ?? simulator.report([fix], DEVICE, 1);
  return protocol.transports.includes('tcp')
    ? [...recorded, { place: 'simulator', transport: 'tcp', bytes: first }]
    : recorded;
}

const DEVICE = '356307042441013';

export const identification: Rule = {
  name: 'its first bytes are identified, and those of other protocols are not',
  check(subject, all) {
    const found = new ViolationList();
    const { protocol } = subject;
    if (protocol.identify === undefined) return [];
    for (const { place, transport, bytes } of openings(subject)) {
      let answer = 'more';
      for (let length = 1; length <= bytes.length; length++) {
        const now = protocol.identify(bytes.slice(0, length), transport);
        if (now === 'no') found.add(place, `its own first ${length} bytes give "no"`);
        if (answer === 'yes' && now !== 'yes') found.add(place, `"yes" changes to "${now}" with ${length} bytes`);
        answer = now;
        if (found.enough) return found.violations;
      }
      if (answer !== 'yes') found.add(place, `the whole first frame is "${answer}"`);
    }
    for (const other of all.filter((s) => s.protocol.id !== protocol.id)) {
      for (const { place, transport, bytes } of openings(other)) {
        for (let length = 1; length <= bytes.length && !found.enough; length++) {
          if (protocol.identify(bytes.slice(0, length), transport) !== 'yes') continue;
          // A checksum and a first decode correct a wrong guess; a protocol that passes both would lose data.
          if (believes(subject, { place, transport, bytes }))
            found.add(`${other.protocol.id} ${place}`, 'is claimed and decoded');
          break;
        }
      }
    }
    return found.violations;
  },
};

function believes(subject: Subject, { transport, bytes }: Opening): boolean {
  const fixture = { title: '', source: '', transport };
  return start(subject, fixture)
    .push(bytes, clockOf(fixture))
    .some((step) => step.type === 'frame');
}
