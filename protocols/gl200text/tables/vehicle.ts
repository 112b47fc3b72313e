import {
  capture,
  field,
  grammar,
  integer,
  number,
  optional,
  optionalField,
  sequence,
  textEquals,
  textValue,
} from '#codec/text';
import { HEAD, HEX, KILOMETRES, LOCATION, MILLIVOLTS, SENT } from './location.ts';

const VIN = '[0-9A-Z]{17}';

/** OBD: what the diagnostic port says: VIN, name, mask, VIN, connection, supply, PIDs, values; location; mileage. */
export const DIAGNOSTICS = grammar(
  HEAD,
  optionalField(VIN, textValue('vin')),
  `[^,]{0,20},[01],${HEX}{1,8},`,
  optionalField(VIN, textValue('vin')),
  '[01],',
  optionalField('\\d{1,6}', number('power', MILLIVOLTS)),
  optionalField(`${HEX}{8}`),
  optionalField('\\d{1,6}', integer('rpm')),
  optionalField('\\d{1,4}', integer('obdSpeed')),
  optionalField('-?\\d{1,3}', integer('temp1')),
  optionalField('\\d{1,6}\\.?\\d{0,6}|Inf|NaN', textValue('fuelConsumption')),
  optionalField('\\d{1,5}', integer('dtcsClearedDistance')),
  optionalField('\\d{1,5}'),
  optionalField('[01]', textEquals('odbConnect', '1')),
  optionalField('\\d{1,3}', integer('dtcsNumber')),
  field(`${HEX}*`, textValue('dtcsCodes')),
  optionalField('\\d{1,3}', integer('throttle')),
  optionalField('\\d{1,3}'),
  optionalField('\\d{1,3}', integer('fuelLevel')),
  optional(sequence(optional('[0-9A]?,'), field('\\d{1,9}', integer('obdOdometer', KILOMETRES)))),
  LOCATION,
  optional(capture('\\d{1,7}\\.\\d', number('odometer', KILOMETRES))),
  ',',
  SENT,
);
