import { Draft, fromHex, ninePlaces, type Position, Reader, toHex } from '#codec';

const PAYLOAD_BYTES = 9;
const TYPE = 0x03;
/** a position, then data of the user */
const TRUNCATED = 1;
const REPLACE_BATTERY = 0x04;
const GPS_FAILED = 0x08;
const VIBRATION = 0x18;
const MOTION = 0x40;

/** Signed 24 bits are 180 degrees of latitude, 360 of longitude. */
const degrees = (raw: number, half: number): number => ninePlaces((((raw << 8) >> 8) * half) / 2 ** 23);

/** `0x` and the bytes in hexadecimal. `seconds` is the time of the back office, Unix. */
export function readPayload(text: string, seconds: number, isAtlasTrax: boolean): Position {
  const bytes = fromHex(text.replace(/^0[xX]/, ''));
  const draft = new Draft();
  draft.deviceTime = seconds * 1_000;
  if (bytes.length < PAYLOAD_BYTES) draft.attributes['payload'] = toHex(bytes);
  else if (isAtlasTrax) readAtlasTrax(draft, new Reader(bytes));
  else readSmartOne(draft, new Reader(bytes));
  return draft.toPosition();
}

/** SmartOne manual, "Messages", tables 1 to 7. */
function readSmartOne(draft: Draft, reader: Reader): void {
  const { attributes } = draft;
  const flags = reader.u8();
  const type = flags & TYPE;
  if (type > TRUNCATED) {
    attributes['payload'] = toHex(reader.bytes);
    return;
  }
  const [latitude, longitude] = [degrees(reader.u24(), 90), degrees(reader.u24(), 180)];
  if ((flags & GPS_FAILED) === 0 || type === TRUNCATED) draft.setFix(draft.deviceTime!, true, latitude, longitude);
  if (type === TRUNCATED) {
    attributes['payload'] = toHex(reader.bytes);
    return;
  }
  if ((flags & REPLACE_BATTERY) !== 0) attributes['batteryReplace'] = true;
  const [inputs, status] = [reader.u8(), reader.u8()];
  attributes['input'] = inputs & 0x0f;
  attributes['event'] = inputs >> 4;
  attributes['motion'] = (status & MOTION) !== 0;
  if ((status & VIBRATION) !== 0) draft.addAlarm('vibration');
}

const NO_FIX = 0xff;

function readAtlasTrax(draft: Draft, reader: Reader): void {
  const { attributes } = draft;
  const flags = reader.u8();
  attributes['in1'] = (flags & 0x02) === 0;
  attributes['in2'] = (flags & 0x04) === 0;
  attributes['charge'] = (flags & 0x08) === 0;
  if ((flags & 0x10) !== 0) draft.addAlarm('vibration');
  const [latitude, longitude, speed] = [degrees(reader.u24(), 90), degrees(reader.u24(), 180), reader.u8()];
  if (speed === NO_FIX) return;
  draft.setFix(draft.deviceTime!, true, latitude, longitude);
  draft.setMovement(undefined, speed, (flags >> 5) * 45);
  attributes['batteryReplace'] = (reader.u8() & 0x80) !== 0;
}
