import { type Attributes, exactUtcFromParts } from '#codec';
import { all, capture, field, fix, grammar, number, sequence, value } from '#codec/text';

/** Day, month and year, then the time, of one or two digits each. */
const TIME = value((text, record) => {
  const [day, month, year, hour, minute, second] = text.split(/[/:,]/).map(Number);
  record.fixTime = exactUtcFromParts(year!, month!, day!, hour!, minute!, second!);
  return true;
});

const [MOVEMENT, GEOFENCE] = [0xc000, 0x0e00];
/** Source: MiniFinder Pico protocol 1.27, form 1-2. */
const ALARMS: readonly (readonly [mask: number, name: string])[] = [
  [0x4, 'fault'],
  [0x40, 'sos'],
  [0x80, 'overspeed'],
  [0x100, 'fallDown'],
  [GEOFENCE, 'geofence'],
  [0x1000, 'lowBattery'],
  [MOVEMENT, 'movement'],
];
const FIX = 0x3;
const BY_CELLS = 0x2;
const CHARGE = 0x40_0000;

function setFlags(flags: number, attributes: Attributes): void {
  if ((flags & BY_CELLS) !== 0) attributes['approximate'] = true;
  const alarms = ALARMS.filter(([mask]) => (flags & mask) !== 0).map(([, name]) => name);
  if (alarms.length > 0) attributes['alarm'] = alarms.join(',');
  attributes['rssi'] = (flags >>> 16) & 0x1f;
  attributes['charge'] = (flags & CHARGE) !== 0;
}

const FLAGS = value((text, record) => {
  const flags = Number(`0x${text}`);
  record.valid = (flags & FIX) !== 0;
  setFlags(flags, record.draft.attributes);
  return true;
});

/** What is no course is sent as a larger number. */
const COURSE = value((text, { draft }) => {
  const course = Number(text);
  draft.course = course > 360 ? 0 : course;
  return true;
});

const DECIMAL = '\\d{1,5}(?:\\.\\d{1,4})?';
const DEGREES = '-?\\d{1,3}\\.\\d{1,8}';
const PLACE = sequence(
  field('\\d\\d?/\\d\\d?/\\d\\d,\\d\\d?:\\d\\d?:\\d\\d?', TIME),
  field(DEGREES, fix.latitude),
  field(DEGREES, fix.longitude),
);
const STATE = sequence(
  field(DECIMAL, fix.speed()),
  field(DECIMAL, COURSE),
  field('[0-9A-Fa-f]{1,8}', FLAGS),
  field('-?\\d{1,5}(?:\\.\\d{1,4})?', fix.altitude),
  capture('\\d{1,3}', number('batteryLevel')),
);
const SATELLITES = sequence(
  ',',
  field('\\d{1,3}', number('sat')),
  field('\\d{1,3}', number('satVisible')),
  // reserved in the document, where it is 0
  capture(DECIMAL, number('hdop', { noValueUpTo: 0 })),
  '$',
);
/** The fix is not a valid one. */
const NOT_VALID = all(
  fix.longitude,
  value((_, record) => {
    record.valid = false;
    return true;
  }),
);

export const POSITIONS = {
  A: grammar(
    field('\\d\\d?/\\d\\d?/\\d\\d,\\d\\d?:\\d\\d?:\\d\\d?', TIME),
    field(DEGREES, fix.latitude),
    capture(DEGREES, NOT_VALID),
  ),
  B: grammar(PLACE, STATE, SATELLITES),
  C: grammar(PLACE, STATE),
  D: grammar(PLACE, STATE, SATELLITES),
} as const;
