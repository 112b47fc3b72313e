import { Driver, type SimulatedFix, type StreamProtocol } from '#codec';

/** Frames of a simulated device, each other than the one before, and the driver of its connection. */
export interface Session {
  readonly isText: boolean;
  /** reads the frame of this number, of as many as there are; throws where it is not read whole */
  read(n: number): void;
}

const DEVICE = '356307042441013';
const FRAMES = 64;
const NOW = 1_717_243_200_000;

/** One fix a frame, as a device on the road sends it. */
const fixes: readonly SimulatedFix[] = Array.from({ length: FRAMES }, (_, n) => ({
  time: NOW - 1000 * n,
  latitude: 48.123456 + n / 10_000,
  longitude: 11.654321 - n / 10_000,
  speed: 40 + (n % 30),
  course: (7 * n) % 360,
  ignition: n % 2 === 0,
}));

const isPrintable = (byte: number): boolean => (byte >= 0x20 && byte < 0x7f) || byte === 0x0d || byte === 0x0a;

export function sessionOf(protocol: StreamProtocol): Session {
  const { simulator } = protocol;
  const driver = new Driver(protocol, { transport: protocol.transports[0]!, options: {}, deviceId: DEVICE });
  const login = simulator.login?.(DEVICE, 1);
  if (login !== undefined) driver.push(login, NOW);
  const frames = fixes.map((fix, n) => simulator.report([fix], DEVICE, n + 2));
  return {
    isText: frames[0]!.every(isPrintable),
    read(n) {
      const [step] = driver.push(frames[n % FRAMES]!, NOW);
      if (step?.type !== 'frame' || !step.messages.some(({ type }) => type === 'position'))
        throw new Error(`${protocol.id}: frame ${n % FRAMES} is not decoded`);
    },
  };
}
