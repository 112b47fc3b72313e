import { asCommand, readAll, type SimulatedFix, type Simulator, toHex, Writer } from '#codec';

/** Time, fix, movement, inputs, height. */
const SELECTOR = 0x00_085c;
const PERIODIC = 110;
const IGNITION = 0x80;

function report({ time, latitude, longitude, speed, course, ignition }: SimulatedFix, deviceId: string): Uint8Array {
  const seconds = time / 1000;
  const content = new Writer(48).u8(PERIODIC).u8(0).u8(0xc0).u32(seconds).u32(seconds);
  content
    .u32(Math.round(latitude * 1e6))
    .u32(Math.round(longitude * 1e6))
    .u8(9);
  content
    .u8(Math.round(speed))
    .u8(Math.round(speed))
    .u8(Math.round(course / 2) % 180);
  content
    .u8(ignition ? IGNITION : 0)
    .u8(0)
    .u16(120);
  const imei = BigInt(deviceId).toString(16).padStart(14, '0');
  const head = new Writer(64).latin1('D').u8(0xc1).hex(imei).u16(content.length).u24(SELECTOR);
  return head.raw(content.finish()).finish();
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand(toHex)),
};
