import { delimited, identifyText } from '#codec/framing';

export const MAX_FRAME_BYTES = 512;

export const frame = delimited({
  starts: [[0x21, 'word', 0x2c]],
  ends: [';'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
  inner: 'restarts',
});

/** A device logs in first. */
export const identify = identifyText({ start: '!', opening: [/^!1,\d{10,17}[,;]/, 21], end: ';' });
