import type { Attributes } from '#codec';
import {
  capture,
  cell,
  DEVICE_ID,
  field,
  fix,
  flag,
  grammar,
  number,
  optional,
  optionalField,
  rmc,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

export const DEFAULT_PASSWORD = '123456';

const EVENTS: Readonly<Record<string, Attributes>> = {
  'acc on': { ignition: true },
  accstart: { ignition: true },
  'acc off': { ignition: false },
  accstop: { ignition: false },
  'help me': { alarm: 'sos' },
  helpme: { alarm: 'sos' },
  'low battery': { alarm: 'lowBattery' },
  move: { alarm: 'movement' },
  moved: { alarm: 'movement' },
};

const EVENT = value((text, { draft }) => {
  const word = text.trim();
  const key = word.toLowerCase().replace(/!$/, '');
  Object.assign(draft.attributes, Object.hasOwn(EVENTS, key) ? EVENTS[key] : word === '' ? {} : { event: word });
  return true;
});

const VOLTS = '\\d{1,2}\\.\\d{1,3}';
const HEX = '[0-9A-Fa-f]{1,4}';

/** Length and checksum of the text, cell. */
const CELL = sequence(
  field('\\d{0,5}'),
  field('\\d{0,5}'),
  field('\\d{3}', cell.mcc),
  field('\\d{1,3}', cell.mnc),
  field(HEX, cell.lacHex),
  capture(`${HEX}(?![0-9A-Fa-f])`, cell.cidHex),
  cell.end(),
);

const STATE = sequence(
  optionalField('\\d{1,2}', number('sat')),
  optionalField('-?\\d{1,5}(?:\\.\\d{1,3})?', fix.altitude),
  '[FL]:',
  capture(VOLTS, number('battery')),
  'V',
  optional('/ADC1=', capture(VOLTS, number('adc1')), 'V'),
  optional('/ADC2=', capture(VOLTS, number('adc2')), 'V'),
  optional(',', field('[01]', flag('charge')), optional(CELL)),
);

/**
 * Serial number, phone number, sentence, signal of the satellites, event, IMEI, state. Devices that send no serial
 * number end with the IMEI; a sentence without a time or a place says nothing of the fix.
 * Source: Xexun TK-102-2 manual, GPRS communication protocol.
 */
export const REPORT = grammar(
  optional(
    '\\d{0,20}?',
    optionalField('\\d{12}|\\d{10}', textValue('serial')),
    optionalField('[^,]{1,30}', textValue('number')),
  ),
  optional('G[PN]RMC,', optional(rmc), '[^*]{0,120}\\*[0-9A-Fa-f]{2}\\s{0,2}'),
  ',',
  field('[FL]', textValue('signal')),
  optional(field('[^,:]{0,30}', EVENT)),
  ' ?imei:',
  capture('\\d{10,20}', textVariable(DEVICE_ID)),
  ',',
  optional(STATE),
);
