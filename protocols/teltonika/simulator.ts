import {
  crc16Arc,
  fromHex,
  fromLatin1,
  readLengthPrefixed,
  type ServerMessage,
  type SimulatedFix,
  type Simulator,
  toLatin1,
  u16At,
  Writer,
} from '#codec';

/** Records in codec 8 Extended. */
function recordsOf(fixes: readonly SimulatedFix[]): Uint8Array {
  const data = new Writer(64 + 64 * fixes.length).u8(0x8e).u8(fixes.length);
  for (const fix of fixes) writeRecord(data, fix);
  return data.u8(fixes.length).finish();
}

/** "UDP channel": every datagram has the IMEI, and is acknowledged by the number that the records have. */
const datagrams: Simulator = {
  fixesPerReport: 20,
  report: (fixes, deviceId, serial) => {
    const content = new Writer()
      .u16(serial)
      .u8(1)
      .u8(serial & 0xff)
      .u16(deviceId.length)
      .latin1(deviceId);
    const bytes = content.raw(recordsOf(fixes)).finish();
    return new Writer(bytes.length + 2).u16(bytes.length).raw(bytes).finish();
  },
  read: (buffer) => {
    if (buffer.length < 2) return undefined;
    return u16At(buffer, 0) === 0 ? readPacket(buffer) : readAcknowledgement(buffer);
  },
  answer,
};

const COUNT_AT = 6;
const readAcknowledgement = readLengthPrefixed(
  2,
  (buffer) => 2 + u16At(buffer, 0),
  (frame) => (frame[COUNT_AT]! > 0 ? { type: 'acknowledged', reports: 1 } : { type: 'other' }),
);

/**
 * The device's side, from the vendor's document alone (wiki, "Teltonika Data Sending Protocols"): login, codec 8
 * Extended records, answers in the codec of the command.
 */
export const simulator: Simulator = {
  /** a packet of 20 records of 60 bytes stays below the vendor's 1,280 */
  fixesPerReport: 20,
  login: (deviceId) => new Writer().u16(deviceId.length).latin1(deviceId).finish(),
  report: (fixes) => wrap(recordsOf(fixes)),
  read,
  answer,
  datagrams,
};

function wrap(data: Uint8Array): Uint8Array {
  return new Writer(data.length + 12).u32(0).u32(data.length).raw(data).u32(crc16Arc(data)).finish();
}

/** Ignition, movement, GSM signal; external voltage; odometer. */
function writeRecord(data: Writer, { time, latitude, longitude, speed, course, ignition }: SimulatedFix): void {
  const [east, north] = [Math.round(longitude * 1e7), Math.round(latitude * 1e7)];
  data.u64(time).u8(0).u32(east).u32(north);
  data.u16(100).u16(Math.round(course)).u8(12).u16(Math.round(speed)).u16(0).u16(5).u16(3);
  const bytes = [
    [239, Number(ignition)],
    [240, Number(speed > 0)],
    [21, 4],
  ] as const;
  for (const [id, value] of bytes) data.u16(id).u8(value);
  data.u16(1).u16(66).u16(12_600).u16(1).u16(16).u32(1_234_567).u16(0).u16(0);
}

/**
 * `01` and `00` are the answer to a login, four bytes the acknowledgement of a packet, anything longer that begins with
 * four zeros a command. A refusal is recognized by being alone in its packet.
 */
function read(buffer: Uint8Array): { bytes: number; message: ServerMessage } | undefined {
  if (buffer.length === 0) return undefined;
  if (buffer[0] === 1) return { bytes: 1, message: { type: 'admitted' } };
  if (buffer.length === 1) return { bytes: 1, message: { type: 'refused' } };
  if (buffer.length < 4) return undefined;
  if (buffer[3] !== 0) return { bytes: 4, message: { type: 'acknowledged', reports: 1 } };
  return readPacket(buffer);
}

const readPacket = readLengthPrefixed(8, (buffer) => 12 + u16At(buffer, 6), commandOf);

const REQUEST = 0x05;
const IMEI_BYTES = 8;

/** Text of a codec 12 or 14 command; undefined for photo requests and others. */
function commandOf(frame: Uint8Array): ServerMessage {
  const start = 15 + (frame[8] === 0x0e ? IMEI_BYTES : 0);
  if (frame[10] !== REQUEST) return { type: 'other' };
  return { type: 'command', text: toLatin1(frame, start, frame.length - 5), frame };
}

/** Codec 12 has no refusal: the text message it. Codec 14 refuses with type 11 and the IMEI alone. */
function answer(frame: Uint8Array, outcome: 'done' | 'refused', deviceId: string): Uint8Array {
  const codec = frame[8]!;
  const imei = codec === 0x0e ? fromHex(deviceId.padStart(16, '0')) : new Uint8Array(0);
  const isRefused = outcome === 'refused';
  const text = fromLatin1(isRefused ? (codec === 0x0e ? '' : 'Unknown command or invalid format') : 'OK');
  const size = imei.length + text.length;
  const data = new Writer(size + 8)
    .u8(codec)
    .u8(1)
    .u8(isRefused && codec === 0x0e ? 0x11 : 0x06);
  return wrap(data.u32(size).raw(imei).raw(text).u8(1).finish());
}
