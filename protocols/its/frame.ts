import { delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

/** From `$` to `*` or the end of the line; what follows a `*` is a checksum, or nothing. */
export const frame = delimited({
  starts: ['$'],
  ends: ['*', '\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  inner: 'restarts-at-once',
});

/** A login, or health, or what stands around the IMEI of a report: no other protocol has such a message. */
const OPENING =
  /^\$,?(?:(?:LGN|HBT|H(?:EL|L[MPT])|\d{2,3}),(?:[^,]{0,40},){1,5}\d{15},|[\w-]{1,20},(?:[^,]{0,40},)?(?:EMR|SEM),\d{15},[NS][MP],|[\w-]{1,20},[^,]{0,40},[^,]{1,40},[A-Z]{2},(?:\d{1,2},)?[LH],\d{15},|[\w-]{1,20},[^,]{0,40},[^,]{1,20},\d{15},[^,]{1,40},AIS140,)/;

export const identify = identifyText({ start: '$', opening: [OPENING, 200], end: '\n' });
