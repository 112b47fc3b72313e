import type { Draft, Message, Reader } from '#codec';
import { type ReadBlock, readRecords, readTime } from './records.ts';
import { negative, signedDdmm } from './values.ts';

const FIX = 0x00;
const ALARMS = [
  [0x0000_0001, 'sos'],
  [0x0000_0200, 'removing'],
  [0x0080_0000, 'fallDown'],
  [0x0200_0000, 'door'],
] as const;
/** of the status */
const MOVING = 0x02;
const CHARGING = 0x80;
/** in degrees and minutes; more is a longitude */
const MAX_LATITUDE = 9_000;

/** Latitude first, though the example of the document has the longitude there. */
function readFix(reader: Reader, draft: Draft): void {
  const time = readTime(reader, draft);
  const [first, second] = [reader.exactF32(), reader.exactF32()];
  if (time === undefined || (first === 0 && second === 0)) return;
  const [latitude, longitude] = Math.abs(first) > MAX_LATITUDE ? [second, first] : [first, second];
  draft.setFix(time, true, signedDdmm(latitude), signedDdmm(longitude));
  const altitude = reader.f32();
  draft.attributes['sat'] = reader.u8();
  reader.skip(1);
  draft.setMovement(altitude, reader.u16() / 10, reader.u16() / 10);
}

export function readAccessPoints(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  for (let n = reader.u8(); n > 0; n--) {
    const mac = reader.mac();
    draft.addAccessPoint(mac, negative(reader.i8()));
  }
}

function readCell(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  const [mcc, mnc, lac, cid] = [reader.u16(), reader.u16(), reader.u32(), reader.u32()];
  draft.addCell({ mcc, mnc, lac, cid, rssi: negative(reader.i8()) });
}

function readAlarms(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  const bits = reader.u32();
  if (bits === 0) return;
  draft.attributes['event'] = bits;
  for (const [bit, alarm] of ALARMS) if (bits & bit) draft.addAlarm(alarm);
}

/** Zeros were not measured. */
function readHealth(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  const rate = reader.u8();
  if (rate > 0) draft.attributes['heartRate'] = rate;
}

function readStatus(reader: Reader, draft: Draft): void {
  draft.attributes['rssi'] = reader.u8();
  draft.attributes['batteryLevel'] = reader.u8();
  const status = reader.u8();
  draft.attributes['status'] = status;
  draft.attributes['motion'] = (status & MOVING) !== 0;
  draft.attributes['charge'] = (status & CHARGING) !== 0;
}

function readSteps(reader: Reader, draft: Draft): void {
  readTime(reader, draft);
  draft.attributes['steps'] = reader.u16();
  const temperature = reader.f32();
  if (temperature !== 0) draft.setNumber('temperature', temperature);
}

const BLOCKS = new Map<number, ReadBlock>([
  [FIX, readFix],
  [0x01, readAccessPoints],
  [0x02, readCell],
  [0x04, readAlarms],
  [0x05, readHealth],
  [0x06, readStatus],
  [0x08, readSteps],
]);

/** The content of a message 0020. */
export const readBlocks = (reader: Reader): Message[] => readRecords(reader, BLOCKS, FIX);
