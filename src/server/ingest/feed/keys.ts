/** Primary key of a stored position. */
export interface PositionKey {
  readonly deviceId: number;
  /** epoch ms */
  readonly time: number;
  /** 22 characters */
  readonly id: string;
}

const ID_BYTES = 17;
const WIDTH = 8 + 8 + ID_BYTES;
export const ID_CHARACTERS = 22;

/** 33 bytes for each position: device id and time as doubles, which hold both exactly, and the id's bytes. */
export function packKeys(rows: readonly PositionKey[]): Buffer {
  const bytes = Buffer.allocUnsafe(rows.length * WIDTH);
  let at = 0;
  for (const { deviceId, time, id } of rows) {
    bytes.writeDoubleBE(deviceId, at);
    bytes.writeDoubleBE(time, at + 8);
    // one more character completes the last byte
    bytes.write(`${id}A`, at + 16, ID_BYTES, 'base64url');
    at += WIDTH;
  }
  return bytes;
}

export function unpackKeys(bytes: Buffer): PositionKey[] {
  return Array.from({ length: Math.floor(bytes.length / WIDTH) }, (_, n) => {
    const at = n * WIDTH;
    return {
      deviceId: bytes.readDoubleBE(at),
      time: bytes.readDoubleBE(at + 8),
      id: bytes.toString('base64url', at + 16, at + WIDTH).slice(0, ID_CHARACTERS),
    };
  });
}
