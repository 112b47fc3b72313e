import { degreesFromDdmm, KNOT_KMH, withHemisphere } from '#codec';
import {
  alarmsByText,
  all,
  capture,
  DEVICE_ID,
  fix,
  grammar,
  optional,
  repeated,
  sequence,
  textValue,
  textVariable,
  value,
} from '#codec/text';

export { DEVICE_ID };

/** Decimal degrees, or minutes behind the degrees where one of the two is no angle. */
const PLACE = value((text, record) => {
  const [longitude, east, latitude, north] = text.split(',');
  const [x, y] = [Number(longitude), Number(latitude)];
  const degrees = y > 90 || x > 180 ? degreesFromDdmm : (n: number) => n;
  record.longitude = withHemisphere(degrees(x), east);
  record.latitude = withHemisphere(degrees(y), north);
  return true;
});

const CELLS = /^(\d{3})(\d{2,3})((?:,?[0-9A-Fa-f]{8}){1,8})$/;

/** Country of three digits and network of two or three, then area and cell in hexadecimal, first of all that of the device. */
const NETWORK = value((text, { draft }) => {
  const [, mcc, mnc, cells = ''] = CELLS.exec(text) ?? [];
  for (const [, lac, cid] of cells.matchAll(/(.{4})(.{4}),?/g))
    draft.addCell({ mcc: Number(mcc), mnc: Number(mnc), lac: Number(`0x${lac}`), cid: Number(`0x${cid}`) });
  return true;
});

const DEGREES = '\\d{1,5}\\.\\d{1,8}';

/** Cells, place, movement and time. */
const RECORD = sequence(
  optional(`(?!${DEGREES},)`, capture('[^#]{1,200}', all(textValue('lbsData'), NETWORK))),
  '#?(?:[^#,]{1,20}#)?',
  capture(`${DEGREES},[EW],${DEGREES},[NS]`, PLACE),
  ',',
  capture('\\d{1,4}\\.\\d{1,4}', fix.speed(KNOT_KMH)),
  ',',
  optional(capture('\\d{1,3}(?:\\.\\d{1,4})?', fix.course())),
  '#(?!0000)',
  capture('\\d{6}', fix.day('ddMMyy')),
  '#',
  capture('\\d{6}', fix.timeOfDay('HHmmss')),
  '(?:\\.\\d{1,3})?#?',
);
const MAX_RECORDS = 50;

/** What the records of a message have in common. */
export const COMMON: readonly string[] = ['user', 'password', 'event', 'alarm', 'packet'];

/** Source: TK06A protocol, as traccar/traccar#472 quotes it: the packet is the number of records that follow. */
export const POSITION = grammar(
  optional('#', capture('\\d{14,15}', textVariable(DEVICE_ID)), '#', capture('[^#]{0,40}', textValue('user')), '#'),
  capture('\\d{1,4}', fix.valid),
  '#',
  capture('[^#]{1,40}', textValue('password')),
  '#',
  capture('[^#]{1,40}', all(textValue('event'), alarmsByText({ SOS: 'sos' }))),
  '#',
  capture('\\d{1,10}', textValue('packet')),
  '#',
  repeated(RECORD, MAX_RECORDS),
);
