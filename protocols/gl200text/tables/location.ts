import {
  accessPoints,
  type BitFieldPart,
  bitField,
  capture,
  cell,
  field,
  fix,
  ifBits,
  ignored,
  integer,
  layout,
  matches,
  matchFirst,
  not,
  number,
  numberVariable,
  numeric,
  oneOf,
  optional,
  optionalField,
  parseDecimalField,
  type Scale,
  sequence,
  skip,
  type Value,
  variableIs,
  when,
} from '#codec/text';

/**
 * What the tables share. Source: @Track Air Interface Protocols, position related reports. A grammar is one match; every
 * repetition in it is bounded, so that no text takes long.
 */
export const HEX = '[0-9A-Fa-f]';
/** kilometres on the wire, metres in a record */
export const KILOMETRES: Scale = { factor: 1000, round: true };
export const MILLIVOLTS: Scale = { divisor: 1000 };
export const DIGITS = 'yyyyMMddHHmmss';

/** header, version and id */
export const HEAD = `\\+(?:RESP|BUFF):GT...,(?:[^,]{6}|[^,]{8}|[^,]{10})?,(?:\\d{15}|${HEX}{14}),`;
/** the name that the device was given */
export const NAME = '[^,]{0,64},';
/** send time, at the end of the body */
export const SENT = '(?:\\d{14})?$';

/** CDMA networks have system ids of more than three digits there, and decimals in place of lac and cid. */
const NETWORK_CODE = matchFirst([/^0*\d{1,3}$/, cell.mcc], [/^/, ignored]);

/** `mac,rssi,` again and again, whatever stands between */
export const ACCESS_POINT_LIST = accessPoints(/([0-9A-Fa-f]{12}),(-?\d{1,4}),/g);

const ACCESS_POINTS = sequence(',\\d{1,3}', capture(`(?:,${HEX}{12},-\\d{1,3},,,){1,32}`, ACCESS_POINT_LIST));

/** The dilution; 0 where the receiver has no fix, and the place is the last known one. */
const HDOP: Value = numeric(parseDecimalField, (record, n) => {
  record.draft.attributes['hdop'] = n;
  record.valid = n > 0;
  return true;
});

const DILUTIONS = sequence(
  optionalField('\\d{1,2}\\.?\\d{0,2}', number('hdop')),
  optionalField('\\d{1,2}\\.?\\d{0,2}', number('vdop')),
  optionalField('\\d{1,2}\\.?\\d{0,2}', number('pdop')),
);

/** Satellites where the mask of the position append names them, then what else it names. */
const APPENDED_FIELDS = oneOf(
  sequence('01,', field('\\d{1,2}', integer('sat'))),
  sequence('03,', field('\\d{1,2}', integer('sat')), '\\d{0,2},'),
  sequence('09,', field('\\d{1,2}', integer('sat')), DILUTIONS),
  sequence('0B,', field('\\d{1,2}', integer('sat')), '\\d{0,2},', DILUTIONS),
);

/** hdop, speed, course, altitude, longitude, latitude, time, access points, cell, mileage */
export const LOCATION = sequence(
  optionalField('\\d{1,2}\\.?\\d{0,2}', HDOP),
  optionalField('\\d{1,3}\\.\\d', fix.speed()),
  optionalField('\\d{1,3}\\.?\\d?', fix.course()),
  optionalField('-?\\d{1,5}\\.\\d', fix.altitude),
  optionalField('-?\\d{1,3}\\.\\d{6}', fix.longitude),
  optionalField('-?\\d{1,2}\\.\\d{6}', fix.latitude),
  optional(capture('\\d{14}', fix.time(DIGITS))),
  optional(ACCESS_POINTS),
  ',',
  optionalField('\\d{1,10}', NETWORK_CODE),
  optionalField('\\d{1,10}', cell.mnc),
  optionalField(`${HEX}{1,10}`, cell.lacHex),
  optionalField(`${HEX}{1,10}`, cell.cidHex),
  cell.end(),
  oneOf(APPENDED_FIELDS, field('\\d{1,10}'), optionalField('\\d{1,10}\\.\\d', number('odometer', KILOMETRES))),
);

/** Speed, course, altitude, longitude, latitude, time; no fix where the place is empty. */
export const FIX = layout(
  fix.speed(),
  fix.course(),
  fix.altitude,
  when(matches(/^$/), [skip(3)], [fix.longitude, fix.latitude, fix.time(DIGITS)]),
);

/** The status word. */
const STATUS_PARTS: readonly BitFieldPart[] = [
  { key: 'ignition', bit: 21, falseBit: 20 },
  { key: 'input', bit: 8, width: 8 },
  { key: 'in1', bit: 9 },
  { key: 'in2', bit: 10 },
  { key: 'output', bit: 0, width: 8 },
  { key: 'out1', bit: 0 },
  { key: 'out2', bit: 1 },
];
export const STATUS = bitField(16, ...STATUS_PARTS);

/** The mask of the position append, and what it names. */
export const APPENDED = layout(
  numberVariable('appended'),
  when(
    // horizontal, vertical and in space
    variableIs('model', 'GV310LAU'),
    [
      ifBits('appended', [
        [0, integer('sat')],
        [1, number('hdop')],
        [2, number('vdop')],
        [3, number('pdop')],
      ]),
    ],
    [
      ifBits('appended', [
        [0, integer('sat')],
        [1, skip()],
        [2, STATUS],
        [3, layout(number('hdop'), number('vdop'), number('pdop'))],
      ]),
    ],
  ),
);

/** The location of the messages whose fields are walked. */
export const LISTED_LOCATION = layout(
  HDOP,
  FIX,
  when(matches(/^$/), [skip(4)], [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.end('mcc')]),
  when(variableIs('model', 'GL5*'), [skip(2)], [when(not(variableIs('model', 'GL320M')), [APPENDED])]),
);
