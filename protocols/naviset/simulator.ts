import { asCommand, crc16Modbus, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

const RECORDS = 0x4000;
/** Records consist of blocks. */
const LATER_STRUCTURE = 0x1000;
const RECEIVER_BLOCK = 0x01;
/** validity and satellites, course, altitude */
const FIELDS = 0x07;
const ANSWER_BYTES = 3;

function packet(kind: number, content: Writer): Uint8Array {
  const body = new Writer().u16LE(0x07e4).raw(content.finish()).finish();
  const writer = new Writer().u16LE(kind | LATER_STRUCTURE | body.length).raw(body);
  return writer.crc16LE(crc16Modbus).finish();
}

/**
 * Two bytes behind the IMEI make the checksum 0, so that the answer to a login differs from the one to records, which
 * repeats their checksum.
 */
function login(deviceId: string): Uint8Array {
  const imei = deviceId.padStart(15, '0').slice(-15);
  const content = new Writer().latin1(imei).u8(0x2a);
  const start = new Writer()
    .u16LE(LATER_STRUCTURE | (content.length + 4))
    .u16LE(0x07e4)
    .raw(content.finish())
    .finish();
  return packet(0, content.u16LE(crc16Modbus(start)));
}

const degrees = (value: number): number => Math.round(value * 1_000_000);

const record = ({ time, latitude, longitude, speed, course }: SimulatedFix, index: number): Uint8Array =>
  new Writer()
    .u16LE(index & 0xffff)
    .u8(0x2b)
    .u32LE(time / 1000)
    .u32LE(degrees(latitude))
    .u32LE(degrees(longitude))
    .u16LE(speed * 10)
    .u8(FIELDS)
    .u8(0x80 | 9)
    .u16LE(course * 10)
    .u16LE(120)
    .finish();

/** A tracker that names itself and sends records; one byte and the checksum acknowledge a message. */
export const simulator: Simulator = {
  login,
  report: (fixes, _deviceId, serial) => {
    const content = new Writer().u8(RECEIVER_BLOCK);
    for (const [index, fix] of fixes.entries()) content.raw(record(fix, serial + index));
    return packet(RECORDS, content);
  },
  fixesPerReport: 10,
  read: (buffer) => {
    if (buffer.length === 0) return undefined;
    if (buffer[0] !== 0x01) {
      return { bytes: buffer.length, message: asCommand((frame) => toHex(frame))(buffer.slice()) };
    }
    if (buffer.length < ANSWER_BYTES) return undefined;
    const isLogin = buffer[1] === 0 && buffer[2] === 0;
    return { bytes: ANSWER_BYTES, message: isLogin ? { type: 'admitted' } : { type: 'acknowledged', reports: 1 } };
  },
};
