import {
  alarmsByText,
  all,
  attributesByText,
  capture,
  cell,
  DEVICE_ID,
  field,
  fix,
  grammar,
  hex,
  number,
  optional,
  optionalField,
  repeated,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

/** Power on and off, battery low, charging begun and ended. */
const EVENT = all(
  textValue('event'),
  alarmsByText({ SOS: 'sos', PNA: 'powerOn', PFA: 'powerOff', PLA: 'lowBattery' }),
  attributesByText({ BTC: { charge: true }, STC: { charge: false } }),
);
const HEAD = sequence('\\+RESP:GT', field('[A-Z0-9]{3}', EVENT), field('\\d{15}', textVariable(DEVICE_ID)));
const HEX = '[0-9A-Fa-f]{1,4}';
/** Count of the messages and versions: the same at the end of all of them. */
const END = sequence(field(HEX, hex('index')), capture('\\w{10}', textValue('versionFw')));

/**
 * A fix failed where the flag is 0: the place is the last known one. A speed below 0 is not known. The two fields before
 * the flag are missing in reports of a call.
 */
const POSITION = sequence(
  '(?:\\d{0,3},\\d{0,3},)?',
  field(
    '[01]',
    value((text, record) => {
      record.valid = text === '1';
      return true;
    }),
  ),
  sequence('(?:-\\d{1,4}(?:\\.\\d)?|', capture('\\d{1,4}(?:\\.\\d)?', fix.speed()), '),'),
  optionalField('\\d{1,3}', fix.course()),
  optionalField('-?\\d{1,6}(?:\\.\\d)?', fix.altitude),
  optionalField('\\d{1,2}', number('hdop')),
  field('-?\\d{1,3}\\.\\d{1,6}', fix.longitude),
  field('-?\\d{1,2}\\.\\d{1,6}', fix.latitude),
  field('\\d{14}', fix.time('yyyyMMddHHmmss')),
  optionalField('\\d{4}', cell.mcc),
  optionalField('\\d{4}', cell.mnc),
  optionalField(HEX, cell.lacHex),
  optionalField(HEX, cell.cidHex),
  '\\d{0,2},',
  cell.end(),
);

/** Who called, where a call is what is reported; otherwise the number of positions. */
const CALLER = value((text, record) => {
  if (record.draft.attributes['event'] === 'LBC') record.draft.attributes['phone'] = text;
  return true;
});

/** Source: Quectel, GL100 @Track air interface protocol 2.03, 3.3.1. The first field is the number of positions, or who called. */
export const POSITIONS = grammar(HEAD, optionalField('[^,]{1,20}', CALLER), repeated(POSITION, 15), optional(END));

/** Reports without a position, of the state of the device. Source: GT300 @Track air interface protocol 4.00, 3.3.5. */
export const STATE = grammar(HEAD, field('\\d{14}', fix.deviceTime('yyyyMMddHHmmss')), END);

export const CARD = grammar(
  HEAD,
  field('[0-9A-Fa-f]{15,20}', textValue('iccid')),
  field('\\d{14}', fix.deviceTime('yyyyMMddHHmmss')),
  END,
);
