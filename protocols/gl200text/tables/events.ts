import {
  allOrNone,
  attributesByText,
  capture,
  cell,
  field,
  fix,
  type Grammar,
  grammar,
  hex,
  hexText,
  ifBits,
  integer,
  layout,
  matches,
  matchFirst,
  nested,
  number,
  numberVariable,
  oneOf,
  optionalField,
  repeat,
  sequence,
  skip,
  textEquals,
  textValue,
  when,
} from '#codec/text';
import { ACCESS_POINT_LIST, DIGITS, HEAD, HEX, KILOMETRES, LOCATION, NAME, SENT } from './location.ts';
import { DIAGNOSTICS } from './vehicle.ts';

/** GSM: mcc, mnc, lac, cid, level, empty */
const NEIGHBOUR = when(
  matches(/^$/),
  [skip(6)],
  [allOrNone(cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.dbm, cell.end('mcc'), skip())],
);

/** DAR: a warning of tiredness, and how tired, or another warning */
const WARNING = oneOf(
  sequence(
    field('1', attributesByText({ '1': { alarm: 'fatigueDriving' } })),
    field('\\d{1,2}', integer('fatigueDegree')),
  ),
  sequence(field('\\d', integer('warningType')), field('\\d{1,2}')),
);

/** DTT: the fuel level of an OBD adapter, or text */
const TRANSPARENT = hexText(
  matchFirst(
    [/^(?=.*COMB)(?:[^,]*,){2}-?\d{1,9}(?:\.\d{1,9})?(?:,|$)/s, nested(',', skip(2), number('fuel'))],
    [/^/, textValue('result')],
  ),
);

/** BAA: accessory, by the bits of its mask */
const ACCESSORY = nested(
  ',',
  ifBits('accessory', [
    [0, textValue('accessoryName')],
    [1, textValue('accessoryMac')],
    [2, integer('accessoryStatus')],
    [3, integer('accessoryVoltage', { factor: 0.001 })],
    [4, integer('accessoryTemp')],
    [5, integer('accessoryHumidity')],
  ]),
);

/** BID: beacon, by the bits of its mask; 7 is what an iBeacon says of itself */
const BEACON = nested(
  ',',
  ifBits('accessory', [
    [0, textValue('accessoryName')],
    [1, textValue('accessoryMac')],
    [2, integer('accessoryStatus')],
    [3, integer('accessoryVoltage', { factor: 0.001 })],
    [6, integer('accessoryRssi')],
    [7, layout(skip(), textValue('beaconUuid'), textValue('beaconMajor'), textValue('beaconMinor'), skip())],
  ]),
);

const ACCESSORY_MASK = field(`${HEX}{4}`, numberVariable('accessory'));

/** Messages by type; what does not match is read by the looks of its fields. */
export const EVENTS: Readonly<Record<string, Grammar>> = {
  LSW: grammar(HEAD, NAME, '[01],', field('[01]', textEquals('in1', '1')), LOCATION, SENT),
  TSW: grammar(HEAD, NAME, '[01],', field('[01]', textEquals('in2', '1')), LOCATION, SENT),
  IDA: grammar(
    HEAD,
    NAME,
    ',',
    field('[^,]{1,64}', textValue('driverUniqueId')),
    '[01],1,',
    LOCATION,
    field('\\d{1,10}\\.\\d', number('odometer', KILOMETRES)),
    ',,,,',
    SENT,
  ),
  WIF: grammar(
    HEAD,
    NAME,
    '\\d{1,4},',
    capture(`(?:${HEX}{12},-?\\d{1,3},,,,){1,64}`, ACCESS_POINT_LIST),
    ',,,,',
    field('\\d{1,3}', integer('batteryLevel')),
    SENT,
  ),
  GSM: grammar(HEAD, '[A-Z]{3},', capture('.*?', nested(',', repeat(6, NEIGHBOUR))), ',?', SENT),
  VER: grammar(
    HEAD,
    NAME,
    field('[^,]{0,32}', textValue('deviceType')),
    field(`${HEX}{4}`, hex('versionFw')),
    field(`${HEX}{4}`, hex('versionHw')),
    capture('\\d{14}', fix.deviceTime(DIGITS)),
    '$',
  ),
  PNA: grammar(HEAD, NAME, SENT),
  PFA: grammar(HEAD, NAME, SENT),
  DAR: grammar(HEAD, NAME, WARNING, ',,', LOCATION),
  DTT: grammar(HEAD, NAME, ',,\\d,\\d{1,6},', field(`(?:${HEX}{2})*`, TRANSPARENT), SENT),
  BAA: grammar(
    HEAD,
    NAME,
    `${HEX}{1,4},\\d,\\d,${HEX}{1,8},`,
    ACCESSORY_MASK,
    capture('(?:[^,]{1,64},){0,6}', ACCESSORY),
    LOCATION,
  ),
  BID: grammar(HEAD, NAME, '\\d,\\d,', ACCESSORY_MASK, capture('(?:[^,]{1,64},){0,10}', BEACON), LOCATION),
  OBD: DIAGNOSTICS,
  LSA: grammar(
    HEAD,
    NAME,
    '\\d,\\d,\\d{1,6},',
    LOCATION,
    '\\d{1,6},',
    field('\\d', integer('lightLevel')),
    field('\\d{1,3}', integer('batteryLevel')),
    '[01],[01]?,',
    optionalField('-?\\d{1,3}\\.\\d{1,3}', number('temp1')),
    SENT,
  ),
};

/** Events whose device time is that of sending; it is that of the fix elsewhere. */
export const SENT_TIME: ReadonlySet<string> = new Set(['LSW', 'TSW', 'IDA', 'DTT', 'LSA', 'OBD']);
