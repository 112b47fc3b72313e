import { datagramsOr, delimited, identifyText, startsOf } from '#codec/framing';

export const MAX_FRAME_BYTES = 2_048;

const STARTS = startsOf(['+RESP:GT', '+BUFF:GT', '+ACK:GT']);

/**
 * A message runs from `+RESP:GT`, `+BUFF:GT` or `+ACK:GT` to its `$`, or to a NUL where a device closes with that.
 * Binary messages on the same connection begin otherwise, and are passed over here. A datagram is one message.
 */
export const frame = datagramsOr(
  delimited({ starts: STARTS, ends: ['$', '\0'], maxBytes: MAX_FRAME_BYTES, inner: 'restarts' }),
);

/** Version and id distinguish these devices from others that use the same words. */
export const identify = identifyText({
  start: STARTS.begins,
  opening: [
    /^\+(?:RESP|BUFF|ACK):GT[A-Z]{3},(?:[0-9A-F]{6}|[0-9A-F]{8}|[0-9A-F]{10})?,(?:\d{15}|[0-9A-F]{14})[,$]/,
    39,
  ],
  end: '$',
});
