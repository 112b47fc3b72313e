/** Whether bytes agree with what is expected; `more`: they end too early to decide. */
export type Match = 'no' | 'more' | 'yes';

/** How far the bytes from `at` on agree with a text. */
export function startsWith(bytes: Uint8Array, at: number, text: string): Match {
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return 'more';
    if (byte !== text.charCodeAt(i)) return 'no';
  }
  return 'yes';
}

/** How far the bytes in `[start, end)` are decimal digits. */
export function areDigits(bytes: Uint8Array, start: number, end: number): Match {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === undefined) return 'more';
    if (byte < 0x30 || byte > 0x39) return 'no';
  }
  return 'yes';
}

/** Whether a pattern matches the first `most` bytes; `more` if fewer have arrived and none of them is the end of a message. */
export function matchesOpening(bytes: Uint8Array, opening: RegExp, most: number, end: string): Match {
  const text = String.fromCharCode(...bytes.subarray(0, most));
  if (opening.test(text)) return 'yes';
  return bytes.length < most && !text.includes(end) ? 'more' : 'no';
}
