import { asCommand, crc16CcittFalse, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const BLOCK_BYTES = 41;
const LENGTH = 19 + BLOCK_BYTES;

function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, id: string, serial: number) {
  const imei = id.padStart(15, '0');
  const write = (checksum: number): Uint8Array => {
    const writer = new Writer(LENGTH).u8(4).u16LE(LENGTH).u16LE(checksum).u16LE(serial);
    writer
      .u32LE(Number(imei.slice(0, 8)))
      .u32LE(Number(imei.slice(8)))
      .u32LE(time / 1_000);
    writer
      .u8(0)
      .u16LE(4)
      .u32LE(0)
      .u16LE(ignition ? 0xa0 : 0x80);
    writer.u32LE(Math.round(latitude * 100_000) >>> 0).u32LE(Math.round(longitude * 100_000) >>> 0);
    writer.u16LE(Math.round(speed)).u16LE(Math.round(course)).u8(20).u8(90).u8(80).u16LE(0).u16LE(0).u16LE(0);
    return writer
      .u16LE(0)
      .u32LE(0)
      .u32LE(time / 1_000)
      .u8(0)
      .finish();
  };
  return write(crc16CcittFalse(write(0)));
}

const REPLY_BYTES = 24;

export const simulator: Simulator = {
  report: ([fix], deviceId, serial) => report(fix!, deviceId, serial),
  read(buffer) {
    if (buffer[0] !== 4) return readAll(asCommand(toHex))(buffer);
    if (buffer.length < REPLY_BYTES) return undefined;
    return { bytes: REPLY_BYTES, message: { type: 'acknowledged', reports: 1 } };
  },
};
