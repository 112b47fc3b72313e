import teltonikaParser from 'complete-teltonika-parser';
import { crc16Arc, type DeviceOptions, fromHex, toHex } from '#codec';

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
    /** reads one and tells whether it did */
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

const codec8 = codec8Frames(64);

export const decodeCases: readonly DecodeCase[] = [
  {
    protocol: 'teltonika',
    title: 'codec 8, one record',
    deviceId: '356307042441013',
    frames: codec8,
    positions: 1,
    rival: {
      name: 'complete-teltonika-parser',
      frames: codec8.map((frame) => toHex(frame)),
      read: (frame) => new teltonikaParser.ProtocolParser(frame).Quantity1 === 1,
    },
  },
];
