import { type Draft, type Reader, readOptional } from '#codec';
import {
  attr,
  type Field,
  fix,
  fixNumber,
  flagByMask,
  inOrder,
  layout,
  number,
  optionalTail,
  skip,
  text,
  u8,
  u16,
  u32,
  validIf,
} from '#codec/binary';
import { parseDecimal, parseTime } from '#codec/text';

/** Tag and size, which counts both, before each value. */
const TAG_BYTES = 4;

function readTags(reader: Reader, read: (tag: number, value: Reader) => void): void {
  while (reader.remaining > TAG_BYTES) {
    const tag = reader.u16();
    const size = Math.max(0, reader.u16() - TAG_BYTES);
    const value = reader.slice(Math.min(size, reader.remaining));
    readOptional(() => read(tag, value));
  }
}

const IMEI_TAG = 0x0003;
const IMEI = /^\d{15}$/;

/** Undefined if there is none among the values of a login. */
export function readImei(reader: Reader): string | undefined {
  let imei: string | undefined;
  readTags(reader, (tag, value) => {
    const digits = tag === IMEI_TAG ? value.latin1() : '';
    if (IMEI.test(digits)) imei = digits;
  });
  return imei;
}

/** Numbers of which all bits are set are not available. */
const NONE_8 = { noValue: 0xff };
const NONE_16 = { noValue: 0xffff };
const PER_CENT = { ...NONE_8, factor: 100, divisor: 255 };
const LEVEL = { ...NONE_8, factor: 2, divisor: 5 };

const VEHICLE = [
  u8('coolantTemp', { ...NONE_8, subtract: 40 }),
  u16('rpm', NONE_16),
  u8('averageSpeed', NONE_8),
  skip(2),
  u16('fuelConsumption', { ...NONE_16, divisor: 100 }),
  u16('tripOdometer', NONE_16),
  u16('power', { ...NONE_16, divisor: 100 }),
  u8('fuelLevel', LEVEL),
  // litres (HS-5000G OBD device protocol 1.2.7, page 6, as quoted in issue 4987 of traccar/traccar)
  optionalTail([u16('fuel', NONE_16), skip(4), u8('adBlueLevel', LEVEL)]),
];

const ENGINE = [
  skip(1),
  u8('engineLoad', PER_CENT),
  u8('timingAdvance', { ...NONE_8, divisor: 2 }),
  u8('airTemp', { ...NONE_8, subtract: 40 }),
  u16('airFlow', { ...NONE_16, divisor: 100 }),
  u8('throttle', PER_CENT),
];

const rest = ({ reader }: { readonly reader: Reader }): string => reader.latin1();

const kilometers: Field = (scope) => {
  const value = parseDecimal(rest(scope));
  if (value !== undefined) scope.into.attributes['odometer'] = value * 1000;
};

const MAX_MCC = 999;
/** Some devices send the digits of the country as hexadecimal ones: 1285 is 505h. */
const countryOf = (mcc: number): number => (mcc > MAX_MCC ? Number(mcc.toString(16)) || mcc : mcc);

const CELL = /^(\d{1,4})@(\d{1,3})@([0-9a-f]{1,8})@([0-9a-f]{1,13})(?:@|$)/i;

const cells: Field = (scope) => {
  for (const cell of rest(scope).split('+')) {
    const [, mcc, mnc, lac, cid] = CELL.exec(cell) ?? [];
    if (cid === undefined) continue;
    scope.into.addCell({
      mcc: countryOf(Number(mcc)),
      mnc: Number(mnc),
      lac: Number.parseInt(lac!, 16),
      cid: Number.parseInt(cid, 16),
    });
  }
};

const ACCESS_POINT = /^((?:[0-9a-f]{2}:){5}[0-9a-f]{2})@(-?\d{1,3})/i;

const accessPoints: Field = (scope) => {
  for (const point of rest(scope).split('+')) {
    const [, mac, rssi] = ACCESS_POINT.exec(point) ?? [];
    if (mac !== undefined) scope.into.addAccessPoint(mac.toLowerCase(), 0 - Math.abs(Number(rssi)));
  }
};

/** Twentieths of an hour. */
const HOUR_PART_MS = 180_000;

const TAGS = new Map(
  Object.entries({
    0x01: VEHICLE,
    0x05: [u8('rssi'), u8('sat')],
    0x09: text('vin', 'rest'),
    0x10: kilometers,
    0x11: u32('hours', { factor: HOUR_PART_MS }),
    0x14: ENGINE,
    0x20: cells,
    0x21: accessPoints,
  }).map(([tag, fields]) => [Number(tag), layout(inOrder(fields))] as const),
);

const ALARMS: Readonly<Record<number, string>> = {
  4: 'fatigueDriving',
  6: 'sos',
  7: 'hardBraking',
  8: 'hardAcceleration',
  9: 'hardCornering',
  10: 'accident',
  16: 'removing',
};

const TIME_DIGITS = 12;
/** Text of digits; a clock that is not set gives no fix. */
const clock: Field = ({ reader, into }) => {
  const time = parseTime(reader.latin1(TIME_DIGITS), 'yyMMddHHmmss');
  if (time === undefined) return;
  into.deviceTime = time;
  into.fixTime = time;
  into.hasFix = true;
};

const degrees = (property: 'latitude' | 'longitude'): Field => number('i32', fixNumber(property, { divisor: 100_000 }));

const PLACE = layout([
  number('u16', attr('status'), validIf(0x8000), flagByMask(0x4000, 'ignition')),
  number('u16', attr('event'), (raw, { into }) => into.addAlarm(ALARMS[raw])),
  clock,
  degrees('longitude'),
  degrees('latitude'),
  fix.speed('u16'),
  fix.course('u16'),
  fix.altitude('i16'),
  skip(2),
]);

export function readPlace(reader: Reader, draft: Draft): void {
  PLACE(reader, draft);
  readTags(reader, (tag, value) => TAGS.get(tag)?.(value, draft));
}
