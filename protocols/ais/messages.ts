import { Draft, KNOT_KMH, ninePlaces, type Position, readOptional, utcFromCalendar } from '#codec';
import { Bits } from './bits.ts';

const MMSI_DIGITS = 9;
/** Numbers for what is not available. */
const [NO_TURN, NO_ALTITUDE, NO_SPEED, NO_COURSE] = [-128, 4095, 1023, 3600];
/** coordinates are in ten thousandths of a minute, those of message 27 in tenths */
const [PER_DEGREE, PER_DEGREE_LONG_RANGE] = [600_000, 600];

/** Reads what follows the MMSI of a message into the draft. */
type Reader = (bits: Bits, draft: Draft, time: number) => void;

/** Messages by type (ITU-R M.1371-5, annex 8). Others carry neither a place nor the name of a station. */
const READERS: ReadonlyMap<number, Reader> = new Map([
  [1, readClassA],
  [2, readClassA],
  [3, readClassA],
  [4, readBaseStation],
  [5, readVoyage],
  [9, readAircraft],
  [11, readBaseStation],
  [18, readClassB],
  [19, readClassBExtended],
  [21, readAidToNavigation],
  [24, readStatic],
  [27, readLongRange],
]);

/** What is not available is left out. */
export function readMessage(payload: string, time: number): Position | undefined {
  const bits = new Bits(payload);
  const read = READERS.get(bits.unsigned(6));
  if (read === undefined) return undefined;
  const draft = new Draft();
  bits.skip(2);
  draft.deviceId = String(bits.unsigned(30)).padStart(MMSI_DIGITS, '0');
  draft.deviceTime = time;
  read(bits, draft, time);
  return draft.toPosition();
}

/** 181 and 91 degrees stand for a place that is not available: they are no fix. */
function readPlace(bits: Bits, draft: Draft, time: number): void {
  const longitude = ninePlaces(bits.signed(28) / PER_DEGREE);
  draft.setFix(time, true, ninePlaces(bits.signed(27) / PER_DEGREE), longitude);
}

function readClassA(bits: Bits, draft: Draft, time: number): void {
  draft.attributes['status'] = bits.unsigned(4);
  const turn = bits.signed(8);
  if (turn !== NO_TURN) draft.attributes['turn'] = turn;
  readMovement(bits, draft, time);
}

function readClassB(bits: Bits, draft: Draft, time: number): void {
  bits.skip(8);
  readMovement(bits, draft, time);
}

function readClassBExtended(bits: Bits, draft: Draft, time: number): void {
  readClassB(bits, draft, time);
  // second, reserved
  bits.skip(6 + 4);
  readOptional(() => {
    setText(draft, 'name', bits.text(20));
    setType(draft, bits.unsigned(8));
    readSize(bits, draft);
  });
}

/** Speed in tenths of a knot, accuracy, place, course, heading. */
function readMovement(bits: Bits, draft: Draft, time: number): void {
  const speed = bits.unsigned(10);
  readAccuracy(bits, draft);
  readPlace(bits, draft, time);
  const course = bits.unsigned(12);
  draft.setMovement(
    undefined,
    speed === NO_SPEED ? undefined : (speed * KNOT_KMH) / 10,
    course >= NO_COURSE ? undefined : course / 10,
  );
  const heading = bits.unsigned(9);
  if (heading < 360) draft.attributes['heading'] = heading;
}

function readAccuracy(bits: Bits, { attributes }: Draft): void {
  attributes['differential'] = bits.unsigned(1) === 1;
}

function readAircraft(bits: Bits, draft: Draft, time: number): void {
  const altitude = bits.unsigned(12);
  const speed = bits.unsigned(10);
  readAccuracy(bits, draft);
  readPlace(bits, draft, time);
  const course = bits.unsigned(12);
  draft.setMovement(
    altitude === NO_ALTITUDE ? undefined : altitude,
    speed === NO_SPEED ? undefined : speed * KNOT_KMH,
    course >= NO_COURSE ? undefined : course / 10,
  );
}

/** The station sends its own time: a report of the clock that the others are set by. */
function readBaseStation(bits: Bits, draft: Draft, received: number): void {
  const [year, month, day] = [bits.unsigned(14), bits.unsigned(4), bits.unsigned(5)];
  const [hour, minute, second] = [bits.unsigned(5), bits.unsigned(6), bits.unsigned(6)];
  const known = year > 0 && month >= 1 && month <= 12 && day > 0 && hour < 24 && minute < 60 && second < 60;
  const time = known && year < 10_000 ? utcFromCalendar(year, month, day, hour, minute, second) : received;
  draft.deviceTime = time;
  readAccuracy(bits, draft);
  readPlace(bits, draft, time);
}

/** Places of a tenth of a minute; speed in knots, course in degrees. */
function readLongRange(bits: Bits, draft: Draft, time: number): void {
  readAccuracy(bits, draft);
  bits.skip(1);
  draft.attributes['status'] = bits.unsigned(4);
  const longitude = ninePlaces(bits.signed(18) / PER_DEGREE_LONG_RANGE);
  draft.setFix(time, true, ninePlaces(bits.signed(17) / PER_DEGREE_LONG_RANGE), longitude);
  const [speed, course] = [bits.unsigned(6), bits.unsigned(9)];
  draft.setMovement(undefined, speed === 63 ? undefined : speed * KNOT_KMH, course < 360 ? course : undefined);
}

function readAidToNavigation(bits: Bits, draft: Draft, time: number): void {
  setType(draft, bits.unsigned(5));
  const name = bits.text(20);
  readAccuracy(bits, draft);
  readPlace(bits, draft, time);
  readSize(bits, draft);
  // kind of receiver, second
  bits.skip(4 + 6);
  draft.attributes['offPosition'] = bits.unsigned(1) === 1;
  // reserved, RAIM, virtual, assigned, spare
  bits.skip(8 + 1 + 1 + 1 + 1);
  setText(draft, 'name', name + bits.text(Math.min(14, Math.floor(bits.left / 6))));
}

function readVoyage(bits: Bits, draft: Draft): void {
  bits.skip(2);
  const imo = bits.unsigned(30);
  if (imo > 0) draft.attributes['imo'] = imo;
  setText(draft, 'callSign', bits.text(7));
  setText(draft, 'name', bits.text(20));
  setType(draft, bits.unsigned(8));
  readSize(bits, draft);
  // kind of receiver; arrival: month, day, hour, minute
  bits.skip(4 + 4 + 5 + 5 + 6);
  const draught = bits.unsigned(8);
  if (draught > 0) draft.attributes['draught'] = draught / 10;
  readOptional(() => setText(draft, 'destination', bits.text(20)));
}

/** Identities of craft that belong to a ship begin so (ITU-R M.585). */
const TENDERS = '98';

/** Part A has the name, part B the rest. */
function readStatic(bits: Bits, draft: Draft): void {
  if (bits.unsigned(2) === 0) {
    setText(draft, 'name', bits.text(20));
    return;
  }
  setType(draft, bits.unsigned(8));
  // maker and its number of the unit
  bits.skip(18 + 24);
  setText(draft, 'callSign', bits.text(7));
  // a tender has the MMSI of its ship there
  if (!draft.deviceId?.startsWith(TENDERS)) readOptional(() => readSize(bits, draft));
}

function setText({ attributes }: Draft, key: string, text: string): void {
  const read = text.replace(/@.*$/s, '').trimEnd();
  if (read !== '') attributes[key] = read;
}

function setType({ attributes }: Draft, type: number): void {
  if (type > 0) attributes['type'] = type;
}

/** Meters from the antenna to bow, stern, port and starboard; 0 is not available. */
function readSize(bits: Bits, { attributes }: Draft): void {
  const [bow, stern, port, starboard] = [bits.unsigned(9), bits.unsigned(9), bits.unsigned(6), bits.unsigned(6)];
  if (bow + stern > 0) attributes['length'] = bow + stern;
  if (port + starboard > 0) attributes['width'] = port + starboard;
}
