import { datagramsOr, delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

/** Text up to a `!` or the end of the line. Some devices send its length in four digits before it, which is passed over. */
export const frame = datagramsOr(
  delimited({
    starts: ['$MGV', 'STX', 'LOGSTX'],
    ends: ['!', '\n'],
    maxBytes: MAX_FRAME_BYTES,
    content: 'line',
  }),
);

export const identify = identifyText({
  start: (bytes, at) => (/[\dSL$]/.test(String.fromCharCode(bytes[at]!)) ? 'yes' : 'no'),
  opening: [/^(?:(?:\d{4})?\$MGV\d{3},|(?:LOG)?STX.{0,40}\$GPRMC,)/, 64],
});
