import {
  binaryDigits,
  capture,
  cell,
  field,
  fix,
  grammar,
  integer,
  number,
  oneOf,
  optional,
  optionalField,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

export const TYPE = 'type';
const MPH_KMH = 1.609_344;
const HEAD = sequence('\\(\\d{10},');
const DECIMAL = '\\d{1,5}(?:\\.\\d{1,4})?';

const PLACE = sequence(
  field('\\d{6},\\d{6}', fix.time('ddMMyy,HHmmss')),
  optional(field('[TF]', fix.validWhen('T'))),
  field('\\d{1,2}\\.\\d{1,8},[NS]', fix.decimalLatitudeWithLetter),
  field('\\d{1,3}\\.\\d{1,8},[EW]', fix.decimalLongitudeWithLetter),
);

const STATUS = binaryDigits('status');

/** U01, U02, U03: report; U06: the same with the number of its alarm. The cell comes before its area. */
export const REPORT = grammar(
  HEAD,
  field('U0[1236]', textVariable(TYPE)),
  optional(field('\\d{1,2}', integer('event'))),
  PLACE,
  field(DECIMAL, fix.speed(MPH_KMH)),
  field(DECIMAL, fix.course()),
  field('\\d{1,2}', integer('sat')),
  field(
    '\\d{1,3}%',
    value((text, { draft }) => {
      draft.attributes['batteryLevel'] = Number.parseInt(text, 10);
      return true;
    }),
  ),
  field('[01]{1,31}', STATUS),
  field('\\d{1,10}', cell.cid),
  field('\\d{1,5}', cell.lac),
  field('\\d{1,3}', cell.dbm),
  cell.end('lac', 'cid'),
  field('\\d{1,8}', number('odometer', { factor: 1000 })),
  capture('\\d{1,6}', integer('index')),
  '(?:,[^)]{0,100})?\\)$',
);

/** Source of the event, what it says, card, password, wrong passwords, count, odometer. */
export const EVENT = grammar(
  HEAD,
  field('P45', textVariable(TYPE)),
  PLACE,
  field('[AV]', fix.validWhen('A')),
  field(DECIMAL, fix.speed()),
  field(DECIMAL, fix.course()),
  field('\\d{1,3}', integer('eventSource')),
  field('\\d{1,3}', integer('eventStatus')),
  oneOf(field('0{1,12}'), optionalField('[0-9A-Za-z]{1,20}', textValue('driverUniqueId'))),
  field('\\d{1,3}'),
  field('\\d{1,5}'),
  capture('\\d{1,5}', integer('index')),
  '(?:,[^)]{0,100})?\\)$',
);

/** A message of the portable JT600: minutes behind the degrees, the longitude first. */
export const PORTABLE = grammar(
  HEAD,
  field('W01', textVariable(TYPE)),
  field('\\d{4,5}\\.\\d{1,8},[EW]', fix.longitudeWithLetter),
  field('\\d{3,4}\\.\\d{1,8},[NS]', fix.latitudeWithLetter),
  field('[AV]', fix.validWhen('A')),
  field('\\d{6},\\d{6}', fix.time('ddMMyy,HHmmss')),
  field(DECIMAL, fix.speed()),
  field(DECIMAL, fix.course()),
  field('\\d{1,3}', integer('batteryLevel')),
  field('\\d{1,2}', integer('gps')),
  field('\\d{1,3}', integer('rssi')),
  capture('\\d{1,3}', integer('alertType')),
  '(?:,[^)]{0,100})?\\)$',
);
