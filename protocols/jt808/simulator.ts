import { readBetween, type ServerMessage, type SimulatedFix, type Simulator, u16At, Writer, xor8 } from '#codec';
import { escapes } from '#codec/framing';
import { utcToDigits } from '#codec/text';

/**
 * A terminal, written from JT/T 808-2013 and -2019: tables 2 (header), 5 (registration), 23 to 27 (location) and 49
 * (batch). Ids of up to 12 digits speak as of 2013, longer ones as of 2019. Times go out as Beijing time, as the
 * standard has it.
 */
const DELIMITER = 0x7e;
const EIGHT_HOURS_MS = 8 * 3_600_000;
const OF_2019 = 0x4000;

const ESCAPES = escapes([
  [0x7d, 0x01, 0x7d],
  [0x7d, 0x02, 0x7e],
]);

const isOf2019 = (deviceId: string): boolean => deviceId.length > 12;

/** One message in a frame: id, properties, (version,) terminal in BCD, serial, body, XOR. */
function terminalFrame(type: number, deviceId: string, serial: number, body: Uint8Array): Uint8Array {
  const isNew = isOf2019(deviceId);
  const id = isNew ? `01${deviceId.padStart(20, '0')}` : deviceId.padStart(12, '0');
  const properties = isNew ? body.length | OF_2019 : body.length;
  const head = new Writer(32 + body.length).u16(type).u16(properties).hex(id);
  head.u16(serial & 0xffff).raw(body);
  const bytes = head.finish();
  return ESCAPES.wire(Uint8Array.of(DELIMITER, ...bytes, xor8(bytes), DELIMITER));
}

const micro = (degrees: number): number => Math.round(Math.abs(degrees) * 1e6);

function locationBody(fix: SimulatedFix): Uint8Array {
  const status = (fix.ignition ? 1 : 0) | 2 | (fix.latitude < 0 ? 4 : 0) | (fix.longitude < 0 ? 8 : 0);
  const writer = new Writer(40).u32(0).u32(status).u32(micro(fix.latitude)).u32(micro(fix.longitude));
  const [speed, course] = [Math.round(fix.speed * 10), Math.round(fix.course)];
  const time = utcToDigits(fix.time + EIGHT_HOURS_MS).slice(2);
  return writer.u16(0).u16(speed).u16(course).hex(time).hex('30011f31010a').finish();
}

function report(fixes: readonly SimulatedFix[], deviceId: string, serial: number): Uint8Array {
  const [first] = fixes;
  if (fixes.length === 1) return terminalFrame(0x0200, deviceId, serial, locationBody(first!));
  const body = new Writer(64 * fixes.length).u16(fixes.length).u8(0);
  for (const fix of fixes) {
    const location = locationBody(fix);
    body.u16(location.length).raw(location);
  }
  return terminalFrame(0x0704, deviceId, serial, body.finish());
}

/** Province, city, maker, model, terminal, plate colour and plate; 2019 has longer names. */
function registrationBody(deviceId: string): Uint8Array {
  const [maker, model, terminal] = isOf2019(deviceId) ? [11, 30, 30] : [5, 20, 7];
  const writer = new Writer(96).u16(44).u16(303).latin1('70111'.padEnd(maker, '\0'));
  return writer.latin1('SIM'.padEnd(model, '\0')).latin1('0000001'.padEnd(terminal, '\0')).u8(0).finish();
}

function unescapeFrame(wire: Uint8Array) {
  // Between the delimiters.
  const bytes = ESCAPES.plain(wire, true)!.subarray(1, -1);
  const serialAt = (u16At(bytes, 2) & OF_2019) === 0 ? 10 : 15;
  return { type: u16At(bytes, 0), serial: u16At(bytes, serialAt), body: bytes.slice(serialAt + 2, -1) };
}

const REPORTS: readonly number[] = [0x0200, 0x0704];

function meaningOf(frame: Uint8Array): ServerMessage {
  const { type, body } = unescapeFrame(frame);
  if (type === 0x8100) return { type: body[2] === 0 ? 'admitted' : 'refused' };
  if (type !== 0x8001) return { type: 'command', text: type.toString(16).padStart(4, '0'), frame };
  return REPORTS.includes(u16At(body, 2)) && body[4] === 0 ? { type: 'acknowledged', reports: 1 } : { type: 'other' };
}

export const simulator: Simulator = {
  login: (deviceId, serial) => terminalFrame(0x0100, deviceId, serial, registrationBody(deviceId)),
  report,
  fixesPerReport: 15,
  heartbeat: (deviceId, serial) => terminalFrame(0x0002, deviceId, serial, new Uint8Array(0)),
  read: readBetween(DELIMITER, meaningOf),
  answer: (frame, outcome, deviceId, serial) => {
    const { type, serial: answered } = unescapeFrame(frame);
    const result = outcome === 'done' ? 0 : 1;
    return terminalFrame(0x0001, deviceId, serial, new Writer(5).u16(answered).u16(type).u8(result).finish());
  },
};
