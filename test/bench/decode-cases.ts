import teltonikaParser from 'complete-teltonika-parser';
import { crc16Arc, type DeviceOptions, fromHex, type SimulatedFix, toHex } from '#codec';
import teltonika from '../../protocols/teltonika/index.ts';

/** One kind of frame whose decoding is measured, and what it is compared with. */
export interface DecodeCase {
  readonly protocol: string;
  readonly title: string;
  readonly deviceId: string;
  readonly options?: DeviceOptions;
  /** different ones, each a whole frame that decodes to `positions` positions */
  readonly frames: readonly Uint8Array[];
  readonly positions: number;
  readonly rival?: {
    readonly name: string;
    /** the frames in the form that it wants, so that turning them into it is not counted */
    readonly frames: readonly string[];
    /** reads one; false if it could not */
    read(frame: string): boolean;
  };
}

/** The vendor's first example of codec 8 (wiki, "Teltonika Data Sending Protocols"): five elements, no fix. */
const CODEC_8 =
  '000000000000003608010000016b40d8ea30010000000000000000000000000000000105021503010101425e0f01f10000601a014e0000000000000000010000c7cf';

/** The example with times and places of its own, so that no frame is the one before. */
function codec8Frames(count: number): Uint8Array[] {
  return Array.from({ length: count }, (_, n) => {
    const frame = fromHex(CODEC_8);
    const view = new DataView(frame.buffer);
    view.setUint32(14, view.getUint32(14) + 1000 * n);
    view.setInt32(19, 252_797_000 + 131 * n);
    view.setInt32(23, 546_872_000 - 97 * n);
    view.setUint16(27, 100 + n);
    view.setUint16(29, (7 * n) % 360);
    view.setUint8(31, 5 + (n % 12));
    view.setUint16(32, n % 130);
    view.setUint32(frame.length - 4, crc16Arc(frame, 8, frame.length - 4));
    return frame;
  });
}

/** What a moving vehicle reports, a second apart. */
const fixesFrom = (n: number, count: number): SimulatedFix[] =>
  Array.from({ length: count }, (_, at) => ({
    time: 1_700_000_000_000 + 1000 * (n * count + at),
    latitude: 54.6872 + 0.0001 * n,
    longitude: 25.2797 - 0.0001 * at,
    speed: (n + at) % 90,
    course: (7 * n) % 360,
    ignition: n % 5 > 0,
  }));

const DEVICE = '356307042441013';
const FRAMES = 64;
const codec8 = codec8Frames(FRAMES);
const codec8Extended = Array.from({ length: FRAMES }, (_, n) =>
  teltonika.simulator.report(fixesFrom(n, 10), DEVICE, n),
);

const teltonikaRival = (frames: readonly Uint8Array[], records: number): NonNullable<DecodeCase['rival']> => ({
  name: 'complete-teltonika-parser',
  frames: frames.map((frame) => toHex(frame)),
  read: (frame) => new teltonikaParser.ProtocolParser(frame).Quantity1 === records,
});

export const decodeCases: readonly DecodeCase[] = [
  {
    protocol: 'teltonika',
    title: 'codec 8, one record',
    deviceId: DEVICE,
    frames: codec8,
    positions: 1,
    rival: teltonikaRival(codec8, 1),
  },
  {
    protocol: 'teltonika',
    title: 'codec 8 Extended, ten records',
    deviceId: DEVICE,
    frames: codec8Extended,
    positions: 10,
    rival: teltonikaRival(codec8Extended, 10),
  },
];
