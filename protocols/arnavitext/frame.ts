import { delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 1_024;

export const frame = delimited({
  starts: ['$AV,', '$GSMCONT,'],
  ends: ['\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
});

export const identify = identifyText({ start: '$AV,V', opening: [/^\$AV,V\d[A-Z]{0,8},-?\d{1,20},/, 40] });
