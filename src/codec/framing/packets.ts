import { CodecError } from '../errors.ts';
import { Reader } from '../reader.ts';
import { Writer } from '../writer.ts';
import type { Framing } from './framing.ts';
import { lengthPrefixed } from './length-prefixed.ts';
import { startsOf } from './starts.ts';

/** Packets of both sides: marks, length of type and body, type, body, a checksum of two bytes. Big endian. */
export interface PacketTable {
  readonly marks: readonly number[];
  readonly lengthBytes: 1 | 2;
  /** largest packet in bytes */
  readonly maxBytes: number;
  /** over length, type and body */
  readonly checksum: (bytes: Uint8Array, start: number, end: number) => number;
  /** types that a device may send first, for `identify` */
  readonly firstTypes: readonly [least: number, most: number];
}

export interface Packets {
  readonly frame: Framing;
  verify(packet: Uint8Array): boolean;
  readonly MAX_FRAME_BYTES: number;
  identify(bytes: Uint8Array): 'yes' | 'no' | 'more';
  typeOf(packet: Uint8Array): number;
  /** Reads the body. */
  bodyOf(packet: Uint8Array): Reader;
  /** Throws CodecError `bad-parameter` for a body that is too large. */
  write(type: number, body?: Uint8Array): Uint8Array;
  /** Size of the packet that begins with these bytes, of which `head` are there. */
  sizeOf(bytes: Uint8Array): number;
  /** bytes before the type, and those besides type and body */
  readonly head: number;
  readonly overhead: number;
}

const CHECKSUM = 2;

/** The framing of packets, their checksum, type and body. */
export function packets({ marks, lengthBytes, maxBytes, checksum, firstTypes }: PacketTable): Packets {
  const head = marks.length + lengthBytes;
  const overhead = head + CHECKSUM;
  const anyLength = Array.from({ length: lengthBytes }, () => 'any' as const);
  const first = startsOf([[...marks, ...anyLength, firstTypes]]);
  return {
    frame: lengthPrefixed({
      starts: [marks],
      head,
      length: { at: marks.length, bytes: lengthBytes, adds: overhead },
      minBytes: overhead + 1,
      maxBytes,
      resumeAt: 1,
    }),
    verify: (bytes) =>
      bytes.length > overhead &&
      new Reader(bytes, bytes.length - CHECKSUM).u16() === checksum(bytes, marks.length, bytes.length - CHECKSUM),
    MAX_FRAME_BYTES: maxBytes,
    identify: (bytes) => first.begins(bytes, 0),
    typeOf: (packet) => packet[head]!,
    bodyOf: (packet) => new Reader(packet, head + 1, packet.length - CHECKSUM),
    sizeOf: (bytes) => {
      const reader = new Reader(bytes, marks.length);
      return overhead + (lengthBytes === 1 ? reader.u8() : reader.u16());
    },
    write: (type, body = new Uint8Array()) => {
      const largest = maxBytes - overhead - 1;
      if (body.length > largest) throw new CodecError('bad-parameter', `a body of more than ${largest} bytes`);
      const content = new Writer();
      if (lengthBytes === 1) content.u8(body.length + 1);
      else content.u16(body.length + 1);
      const bytes = content.u8(type).raw(body).finish();
      return new Writer()
        .raw(Uint8Array.from(marks))
        .raw(bytes)
        .u16(checksum(bytes, 0, bytes.length))
        .finish();
    },
    head,
    overhead,
  };
}
