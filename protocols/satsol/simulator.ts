import { crc16CcittFalse, meaningByType, readLengthPrefixed, type SimulatedFix, type Simulator, Writer } from '#codec';

/** A unit number has room for nine digits. */
const unitOf = (deviceId: string): number => Number(deviceId.slice(-9));

function message(deviceId: string, records: Uint8Array): Uint8Array {
  const content = new Writer().u16LE(0x4cbf).u32LE(unitOf(deviceId)).u16LE(records.length).raw(records).finish();
  return new Writer().u16LE(crc16CcittFalse(content)).raw(content).finish();
}

const degrees = (value: number): number => Math.round(value * 1_000_000);

const record = (fix: SimulatedFix): Uint8Array =>
  new Writer(30)
    .u32LE(0)
    .u16LE(1)
    .u16LE(0)
    .u32LE(fix.time / 1000)
    .u32LE(degrees(fix.latitude))
    .u32LE(degrees(fix.longitude))
    .u16LE(Math.round(fix.speed * 100))
    .u16LE(120)
    .u16LE(fix.course)
    .u8(1)
    .u8(9)
    .u8(2)
    .u8(0)
    .finish();

const HEADER_BYTES = 10;

/** A unit that reports records; an answer without content acknowledges them. */
export const simulator: Simulator = {
  idOf: (deviceId) => String(unitOf(deviceId)),
  report: (fixes, deviceId) => {
    const records = new Writer();
    for (const fix of fixes) records.raw(record(fix));
    return message(deviceId, records.finish());
  },
  heartbeat: (deviceId) => message(deviceId, new Uint8Array(0)),
  fixesPerReport: 10,
  read: readLengthPrefixed(
    HEADER_BYTES,
    (buffer) => HEADER_BYTES + (buffer[8]! | (buffer[9]! << 8)),
    meaningByType((frame) => frame.length, { [HEADER_BYTES]: 'acknowledged' }),
  ),
};
