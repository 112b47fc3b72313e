import type { SimulatedFix, StreamProtocol } from '#codec';
import { loadFixtures, wireBytes } from '../support/fixtures.ts';
import type { Random } from '../support/random.ts';

const DEVICE = '356307042441013';

/** Frames to damage: of the fixtures, and of the simulated device. */
export function corpusOf(protocol: StreamProtocol<unknown>, random: Random): Uint8Array[] {
  const { simulator } = protocol;
  const frames = loadFixtures(protocol.id).flatMap(({ fixture }) =>
    (fixture.frames ?? []).map(({ wire }) => wireBytes(wire)),
  );
  for (let serial = 0; serial < 20; serial++) {
    const fixes = Array.from({ length: 1 + random.int(Math.min(simulator.fixesPerReport ?? 1, 20)) }, () =>
      randomFix(random),
    );
    frames.push(simulator.report(fixes, DEVICE, serial));
  }
  const login = simulator.login?.(DEVICE, 1);
  const heartbeat = simulator.heartbeat?.(DEVICE, 2);
  return [...frames, ...(login ? [login] : []), ...(heartbeat ? [heartbeat] : []), ...answers(protocol)];
}

const randomFix = (random: Random): SimulatedFix => ({
  time: 1_600_000_000_000 + random.int(300_000_000) * 1000,
  latitude: random.int(170_000_000) / 1e6 - 85,
  longitude: random.int(359_000_000) / 1e6 - 179.5,
  speed: random.int(200),
  course: random.int(360),
  ignition: random.int(2) === 1,
});

function answers({ id, simulator }: StreamProtocol<unknown>): Uint8Array[] {
  return loadFixtures(id).flatMap(({ fixture }) =>
    (fixture.commands ?? []).flatMap(({ wire }) => {
      const read = simulator.read(wireBytes(wire));
      return read?.message.type === 'command' && simulator.answer
        ? [simulator.answer(read.message.frame, 'done', DEVICE, 3)]
        : [];
    }),
  );
}
