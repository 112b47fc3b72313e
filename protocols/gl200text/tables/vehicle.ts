import { textLayout } from '#codec';
import { HEAD, HEX, KILOMETRES, LOCATION, MILLIVOLTS, SENT } from './location.ts';

const { capture, field, grammar, integer, isText, maybe, number, optional, plain } = textLayout;

const VIN = '[0-9A-Z]{17}';

/** OBD: what the diagnostic port says: VIN, name, mask, VIN, connection, supply, PIDs, values; location; mileage. */
export const DIAGNOSTICS = grammar(
  HEAD,
  maybe(VIN, plain('vin')),
  `[^,]{0,20},[01],${HEX}{1,8},`,
  maybe(VIN, plain('vin')),
  '[01],',
  maybe('\\d{1,6}', number('power', MILLIVOLTS)),
  maybe(`${HEX}{8}`),
  maybe('\\d{1,6}', integer('rpm')),
  maybe('\\d{1,4}', integer('obdSpeed')),
  maybe('-?\\d{1,3}', integer('temp1')),
  maybe('\\d{1,6}\\.?\\d{0,6}|Inf|NaN', plain('fuelConsumption')),
  maybe('\\d{1,5}', integer('dtcsClearedDistance')),
  maybe('\\d{1,5}'),
  maybe('[01]', isText('odbConnect', '1')),
  maybe('\\d{1,3}', integer('dtcsNumber')),
  field(`${HEX}*`, plain('dtcsCodes')),
  maybe('\\d{1,3}', integer('throttle')),
  maybe('\\d{1,3}'),
  maybe('\\d{1,3}', integer('fuel')),
  optional('[0-9A]?,'),
  field('\\d{1,9}', integer('obdOdometer', KILOMETRES)),
  LOCATION,
  optional(capture('\\d{1,7}', integer('obdOdometer', KILOMETRES)), '\\.\\d'),
  ',',
  SENT,
);
