import {
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toHex,
  toLatin1,
  Writer,
} from '#codec';

const HASH = 0x23;

function message(type: string, id: string, content: Uint8Array): Uint8Array {
  const length = String(type.length + id.length + content.length).padStart(2, '0');
  return new Writer().latin1(`$$${length}${type}${id}`).raw(content).u8(HASH).finish();
}

function writePlace(writer: Writer, degrees: number, letter: string): Writer {
  const minutes = Math.round(Math.abs(degrees) * 600_000);
  const whole = Math.floor(minutes / 10_000);
  return writer
    .u16(Math.floor(whole / 60) * 100 + (whole % 60))
    .u16(minutes % 10_000)
    .latin1(letter);
}

function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string): Uint8Array {
  const at = new Date(time);
  const writer = new Writer().u8(at.getUTCDate()).u8(at.getUTCMonth() + 1);
  writer.u8(at.getUTCFullYear() - 2000).u8(at.getUTCHours());
  writer.u8(at.getUTCMinutes()).u8(at.getUTCSeconds());
  writePlace(writer, latitude, latitude < 0 ? 'S' : 'N');
  writePlace(writer, longitude, longitude < 0 ? 'W' : 'E');
  writer.u8(Math.round(speed)).u16(Math.round(course));
  return message('GPSL_02', id, writer.hex('010000000714').hex('00010000').finish());
}

/** Sizes of the server's answers by their type. */
const SIZES: Readonly<Record<string, number>> = { LGSA: 25, GPSA: 26, SYSA: 24 };

function meaningOf(frame: Uint8Array): ServerMessage {
  const type = toLatin1(frame, 1, 5);
  if (type === 'GPSA') return { type: 'acknowledged', reports: 1 };
  if (type === 'LGSA') return { type: 'admitted' };
  return type === 'SYSA' ? { type: 'other' } : { type: 'command', text: toHex(frame), frame };
}

export const simulator: Simulator = {
  login: (deviceId) => message('LOGN_11', deviceId, fromLatin1('2.1')),
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: (deviceId) => message('SYNC_11', deviceId, new Writer().hex('010000000714').finish()),
  read: readLengthPrefixed(5, (buffer) => SIZES[toLatin1(buffer, 1, 5)] ?? buffer.length, meaningOf),
};
