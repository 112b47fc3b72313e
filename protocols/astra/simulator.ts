import { asCommand, crc16Modbus, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const EPOCH = Date.UTC(1980, 0, 6);
const degrees = (value: number): number => Math.round(value * 1_000_000);
const ACKNOWLEDGE = 0x06;
/** block 1 */
const FIX_MASK = '000000000002';

const record = ({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, index: number): Uint8Array => {
  const seconds = (time - EPOCH) / 1000;
  const writer = new Writer()
    .u8(index & 0xff)
    .hex(FIX_MASK)
    .u32(seconds)
    .u32(1)
    .u16(ignition ? 1 : 0);
  writer.u32(seconds).u32(degrees(latitude)).u32(degrees(longitude));
  return writer
    .u8(Math.round(speed / 2))
    .u8(0)
    .u8(Math.round(course / 2) % 180)
    .u8(6)
    .u16(0)
    .finish();
};

function message(deviceId: string, records: readonly Uint8Array[]): Uint8Array {
  const imei = deviceId.padStart(15, '0').slice(-15);
  const body = new Writer()
    .u8(records.length)
    .u32(Number(imei.slice(0, 8)))
    .u24(Number(imei.slice(8)));
  for (const bytes of records) body.raw(bytes);
  const writer = new Writer()
    .u8(0x58)
    .u16(3 + body.length + 2)
    .raw(body.finish());
  return writer.crc16(crc16Modbus).finish();
}

const command = readAll(asCommand((frame) => toHex(frame)));

/** A tracker of protocol X; a byte acknowledges a message. */
export const simulator: Simulator = {
  report: (fixes, deviceId, serial) =>
    message(
      deviceId,
      fixes.map((fix, index) => record(fix, serial + index)),
    ),
  heartbeat: (deviceId) => message(deviceId, []),
  fixesPerReport: 10,
  read: (buffer) =>
    buffer[0] === ACKNOWLEDGE ? { bytes: 1, message: { type: 'acknowledged', reports: 1 } } : command(buffer),
};
