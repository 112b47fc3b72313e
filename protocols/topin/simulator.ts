import { meaningByType, type ServerMessage, type SimulatedFix, type Simulator, Writer } from '#codec';

const message = (length: number, type: number, content: Uint8Array): Uint8Array =>
  new Writer().hex('7878').u8(length).u8(type).raw(content).hex('0d0a').finish();

const [NORTH, WEST, FIXED] = [0x400, 0x800, 0x1000];

function report({ time, latitude, longitude, speed, course }: SimulatedFix): Uint8Array {
  const content = new Writer().date6(time).u8(0x98);
  content.u32(Math.round(Math.abs(latitude) * 1_800_000)).u32(Math.round(Math.abs(longitude) * 1_800_000));
  const flags = FIXED! + (latitude < 0 ? 0 : NORTH!) + (longitude < 0 ? WEST! : 0);
  return message(
    18,
    0x10,
    content
      .u8(Math.round(speed))
      .u16(flags + Math.round(course))
      .finish(),
  );
}

const [ADMITTED, REFUSED, POSITION, STATUS, TIME] = [0x01, 0x44, 0x10, 0x13, 0x30];

/** Messages end with CR and LF, which may stand in a time as well. */
function read(buffer: Uint8Array): { readonly bytes: number; readonly message: ServerMessage } | undefined {
  const from = buffer[3] === TIME ? 11 : buffer[3] === POSITION ? 10 : 4;
  let end = buffer.indexOf(0x0a, from);
  while (end > 0 && buffer[end - 1] !== 0x0d) end = buffer.indexOf(0x0a, end + 1);
  if (end < 0) return undefined;
  const frame = buffer.slice(0, end + 1);
  return { bytes: frame.length, message: meaningOf(frame) };
}

const meaningOf = meaningByType((frame) => frame[3]!, {
  [ADMITTED]: 'admitted',
  [REFUSED]: 'refused',
  [POSITION]: 'acknowledged',
  [TIME]: 'other',
  [STATUS]: 'other',
});

export const simulator: Simulator = {
  login: (deviceId) => message(13, 0x01, new Writer().hex(`0${deviceId}4d`).finish()),
  report: ([fix]) => report(fix!),
  heartbeat: () => message(10, 0x13, new Writer().hex('282701006300000000').finish()),
  read,
};
