import { asCommand, readUntil, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';

/** The part of a message behind its length is written first; the length counts all of it. */
const report = (fixes: readonly SimulatedFix[], deviceId: string, serial: number): Uint8Array => {
  const body = new Writer(64 + 40 * fixes.length).u8(0x45).u16(0x0102).u16(0x0209).raw(identity(deviceId));
  body.u8(97).u16(12_600).u8(1).u8(9).u8(0).u8(fixes.length);
  for (const fix of fixes) place(body, fix);
  body.u16(serial & 0xffff).u16(0);
  const head = new Writer(16)
    .latin1('+RSP')
    .u8(7)
    .u32(0x00fc_1fbf)
    .u16(11 + body.length + 2);
  return head.raw(body.finish()).u16(0x0d0a).finish();
};

/** Two digits a byte as a number, the last digit alone. */
const identity = (deviceId: string): Uint8Array =>
  Uint8Array.from(deviceId.padStart(15, '0').match(/..?/g)!, (digits) => Number(digits));

function place(writer: Writer, { time, latitude, longitude, speed, course }: SimulatedFix): void {
  const clock = new Date(time);
  writer
    .u8(1)
    .u16(Math.floor(Math.round(speed * 10) / 10))
    .u8(Math.round(speed * 10) % 10)
    .u16(Math.round(course) % 360)
    .u16(120);
  writer
    .u32(Math.round(longitude * 1e6))
    .u32(Math.round(latitude * 1e6))
    .u16(clock.getUTCFullYear());
  writer
    .u8(clock.getUTCMonth() + 1)
    .u8(clock.getUTCDate())
    .u8(clock.getUTCHours());
  writer.u8(clock.getUTCMinutes()).u8(clock.getUTCSeconds()).u16(0x0460).u16(0).u16(0x18d8).u16(0x6141).u8(0);
}

/** An acknowledgement of a command: header, type, mask, length, no id. */
const answer = (): Uint8Array =>
  new Writer(16).latin1('+ACK').u8(1).u8(0x7f).u8(14).u16(0).u16(0).u8(0).u16(0x0d0a).finish();

export const simulator: Simulator = {
  report,
  fixesPerReport: 15,
  acknowledges: false,
  read: readUntil('$', asCommand(toLatin1)),
  answer,
};
