import { KNOT_KMH, nearestTimeOfDay, withHemisphere } from '#codec';
import {
  afterFields,
  all,
  capture,
  DEVICE_ID,
  field,
  fix,
  flag,
  type Grammar,
  grammar,
  number,
  numeric,
  optional,
  optionalField,
  parseDecimal,
  parseDecimalField,
  parseTime,
  rmc,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

/** Variable that holds the time at which the sentence was received, for sentences without a day. */
export const NOW = 'now';
const DAY_MS = 86_400_000;

const COUNT = '\\d{1,6}';
const UNSIGNED = '\\d{1,6}(?:\\.\\d{0,6})?';
const SIGNED = `-?${UNSIGNED}`;
const ID = textVariable(DEVICE_ID);
const VALIDITY = field('[AV]', fix.validWhen('A'));
const PLACE = sequence(
  field('\\d{1,4}(?:\\.\\d{0,10})?,[NS]', fix.latitudeWithLetter),
  field('\\d{1,5}(?:\\.\\d{0,10})?,[EW]', fix.longitudeWithLetter),
);

/** The day is the one that brings the time nearest to the clock of the server. */
const CLOCK = sequence(
  capture(
    '\\d{6}',
    value((text, record) => {
      const time = parseTime(text, 'HHmmss');
      if (time === undefined) return false;
      record.fixTime = nearestTimeOfDay(time % DAY_MS, Number(record.variables[NOW]));
      return true;
    }),
  ),
  '(?:\\.\\d{0,6})?',
);

const EXTRAS = value((text, { draft }) => {
  for (const [index, digits] of text.slice(1).split(',').entries()) draft.attributes[`io${index + 1}`] = digits;
  return true;
});

/** Behind the checksum. The battery has three digits up to 100. */
const STATUS = sequence(
  field(COUNT, number('sat')),
  field('\\d{15}', ID),
  field('[01]', flag('ignition')),
  field(COUNT, number('fuel')),
  capture('\\d{1,3}', number('batteryLevel')),
  optional(capture('(?:,\\d{1,10}){1,20}', EXTRAS)),
);

/** Source: NMEA 0183. */
const NMEA = {
  RMC: grammar('\\$G[PLN]RMC,', rmc, optional(',[^*]{1,40}\\*[0-9A-Fa-f]{2},', STATUS)),
  GGA: grammar(
    '\\$G[PLN]GGA,',
    CLOCK,
    ',',
    PLACE,
    field('\\d', fix.valid),
    optionalField(COUNT, number('sat')),
    optionalField(UNSIGNED, number('hdop')),
    optional(capture(SIGNED, fix.altitude)),
  ),
  GLL: grammar('\\$G[PLN]GLL,', PLACE, CLOCK, ',', capture('[AV]', fix.validWhen('A'))),
  // a live sentence without a time: the one at which it was received
  RMA: grammar(
    '\\$GPRMA,',
    VALIDITY,
    PLACE,
    ',,',
    optionalField(UNSIGNED, fix.speed(KNOT_KMH)),
    optional(capture(UNSIGNED, fix.course())),
    afterFields((record) => {
      record.fixTime = Number(record.variables[NOW]);
    }),
  ),
} as const;

/**
 * Position of u-blox receivers, speed in km/h. A field that u-blox reserves, and sends as 0, holds the id of some devices.
 * Source: u-blox F9 HPG 1.13 interface description, PUBX,00.
 */
const PUBX = grammar(
  '\\$PUBX,00,',
  CLOCK,
  ',',
  PLACE,
  field(SIGNED, fix.altitude),
  field(
    '[A-Z0-9]{2}',
    value((status, record) => {
      record.valid = status !== 'NF' && status !== 'TT';
      return true;
    }),
  ),
  field(
    UNSIGNED,
    numeric(parseDecimal, ({ draft }, metres) => {
      draft.accuracy = metres;
      return true;
    }),
  ),
  field(UNSIGNED),
  optionalField(UNSIGNED, fix.speed()),
  optionalField(UNSIGNED, fix.course()),
  optionalField(SIGNED),
  optionalField(SIGNED),
  optionalField(UNSIGNED, number('hdop')),
  optionalField(UNSIGNED, number('vdop')),
  optionalField(UNSIGNED),
  field(COUNT, number('sat')),
  optional(field('\\w{3,20}', ID)),
);

const degrees = (axis: 'latitude' | 'longitude') =>
  value((text, record) => {
    const n = parseDecimalField(text.slice(0, -2));
    if (n === undefined) return false;
    record[axis] = withHemisphere(n, text.slice(-1));
    return true;
  });
const DEGREES = '\\d{1,3}\\.\\d{1,8},';

/** Sentence of modems (`WMCS`), whose parts are named and optional. The bits of an alarm are not documented. */
const MODEM = grammar(
  '\\$ID,',
  capture('\\d{15}', ID),
  optional(
    ',ALARM,',
    capture(
      '0x[0-9A-Fa-f]{1,8}',
      all(
        textValue('event'),
        value((_, { draft }) => {
          draft.addAlarm('general');
          return true;
        }),
      ),
    ),
  ),
  ',[^$]{0,200}?GPSE[XHTD],',
  capture('[AV]', fix.validWhen('A')),
  optional(',D,', capture('\\d{6}', fix.day('ddMMyy')), ',T,', capture('\\d{6}', fix.timeOfDay('HHmmss'))),
  optional(',S,', capture('\\d{1,3}', number('satVisible')), ':', capture('\\d{1,3}', number('sat'))),
  optional(',La,', capture(`${DEGREES}[NS]`, degrees('latitude'))),
  optional(',Lo,', capture(`${DEGREES}[EW]`, degrees('longitude'))),
  optional(',H,', capture(UNSIGNED, fix.course())),
  optional(',V,', capture(UNSIGNED, fix.speed())),
  optional(',DD,', capture(UNSIGNED, number('totalDistance'))),
);

/** By what they begin with. */
export const SENTENCES: readonly (readonly [begins: RegExp, read: Grammar])[] = [
  [/^\$G[PLN]RMC,/, NMEA.RMC],
  [/^\$G[PLN]GGA,/, NMEA.GGA],
  [/^\$G[PLN]GLL,/, NMEA.GLL],
  [/^\$GPRMA,/, NMEA.RMA],
  [
    /^\$TRCCR,/,
    grammar(
      '\\$TRCCR,',
      capture('\\d{14}', fix.time('yyyyMMddHHmmss')),
      '(?:\\.\\d{0,6})?,',
      VALIDITY,
      field('-?\\d{1,2}\\.\\d{1,10}', fix.latitude),
      field('-?\\d{1,3}\\.\\d{1,10}', fix.longitude),
      field(UNSIGNED, fix.speed(KNOT_KMH)),
      field(UNSIGNED, fix.course()),
      field(SIGNED, fix.altitude),
      // a level in percent. Source: Traccar Client protocol, extended location report
      field(UNSIGNED, number('batteryLevel')),
    ),
  ],
  [
    /^\$GPIOP,/,
    grammar(
      '\\$GPIOP,[01]{8},[01]{8},(?:\\d{1,4}\\.\\d{1,4},){4}',
      field(UNSIGNED, number('power')),
      capture(UNSIGNED, number('battery')),
    ),
  ],
  [
    /^QZE,/,
    grammar(
      'QZE,',
      field('\\d{15}', ID),
      field(COUNT, number('event')),
      field('\\d{8}', fix.day('ddMMyyyy')),
      field('\\d{6}', fix.timeOfDay('HHmmss')),
      field('-?\\d{1,2}\\.\\d{1,10}', fix.latitude),
      field('-?\\d{1,3}\\.\\d{1,10}', fix.longitude),
      field(COUNT, fix.speed()),
      field(COUNT, fix.course()),
      VALIDITY,
      capture('[01]', flag('ignition')),
    ),
  ],
  [/^\$PUBX,00,/, PUBX],
  [
    /^\$GPTXT,NET,/,
    grammar(
      '\\$GPTXT,NET,',
      field('\\w{1,20}', ID),
      field('[^,]{1,30}', textValue('operator')),
      field('-\\d{1,3}', number('rssi')),
      capture('\\d{3}', number('mcc')),
      ' ',
      capture('\\d{1,3}', number('mnc')),
    ),
  ],
  [/^\$ID,/, MODEM],
];

/** Sentences of receivers that hold no position: others than the ones above, or without a fix. */
export const WITHOUT_POSITION =
  /^\$G[PLN](?:(?:GSA|GSV|GST|VTG|ZDA),|RMC,[\d.]*,V,,,,,|GGA,[\d.]*,,,,,0,|GLL,,,,,[\d.]*,V)/;

/** Sentences, and lines, that only name the device. */
export const ID_SENTENCE =
  /^(?:\$(?:PGID|DEVID|PCPTI|PSIWMDID|CONNECT|GPFID),|\$?IMEI[ =]|(?=[0-9A-F]{4,64}$))([^,*$]{1,64})/;

/** Before a sentence: the id, in some of these lines behind a number, each with a slash behind it. */
export const ID_BEFORE_SENTENCE = /^(?:[^$/]{0,40}\/)?([^$/,]{1,64})[,/]?(?=\$)/;
