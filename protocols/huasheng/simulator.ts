import { meaningByType, readBetween, type SimulatedFix, type Simulator, u16At, utcToParts, Writer } from '#codec';

function message(type: number, serial: number, content: Uint8Array): Uint8Array {
  const inner = new Writer()
    .u16(0)
    .u16(12 + content.length)
    .u16(type)
    .u16(0)
    .u32(serial)
    .raw(content)
    .finish();
  const wire = new Writer().u8(0xc0);
  for (const byte of inner) {
    if (byte === 0xc0 || byte === 0xdb) wire.u8(0xdb).u8(byte === 0xc0 ? 0xdc : 0xdd);
    else wire.u8(byte);
  }
  return wire.u8(0xc0).finish();
}

const degrees = (value: number): number => Math.round(value * 100_000);
const digits = (time: number): string =>
  utcToParts(time)
    .map((part) => String(part).padStart(2, '0'))
    .join('');

const place = ({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): Uint8Array =>
  new Writer()
    .u16(0x8000 | (ignition ? 0x4000 : 0))
    .u16(0)
    .latin1(digits(time))
    .u32(degrees(longitude))
    .u32(degrees(latitude))
    .u16(speed)
    .u16(course)
    .u16(120)
    .u16(0)
    .finish();

const TYPE_AT = 5;

const KINDS = { 0xff03: 'admitted', 0xff01: 'acknowledged', 0x0003: 'other' } as const;
const meaning = meaningByType((frame) => u16At(frame, TYPE_AT), KINDS);

/** A dongle that logs in with its IMEI. */
export const simulator: Simulator = {
  login: (deviceId, serial) =>
    message(0xaa02, serial, new Writer().u16(3).u16(19).latin1(deviceId.padStart(15, '0').slice(-15)).finish()),
  report: ([fix], _deviceId, serial) => message(0xaa00, serial, place(fix!)),
  heartbeat: (_deviceId, serial) => message(0x0002, serial, new Uint8Array(0)),
  read: readBetween(0xc0, meaning),
};
