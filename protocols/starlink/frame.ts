import { delimited, identifyText, type Match, startsBy } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;

const NAME = 'SLU';

/** Any character but a line end, then SLU. */
function begins(bytes: Uint8Array, at: number): Match {
  const first = bytes[at]!;
  if (first === 0x0a || first === 0x0d) return 'no';
  for (let i = 0; i < NAME.length; i++) {
    const byte = bytes[at + 1 + i];
    if (byte === undefined) return 'more';
    if (byte !== NAME.charCodeAt(i)) return 'no';
  }
  return 'yes';
}

export const frame = delimited({
  starts: startsBy(4, begins),
  ends: ['\n'],
  maxBytes: MAX_FRAME_BYTES,
  content: 'line',
});

export const identify = identifyText({ start: begins, opening: [/^.SLU(?:\d{15}|[0-9A-F]{6}),\d{1,3},\d{1,10},/, 36] });
