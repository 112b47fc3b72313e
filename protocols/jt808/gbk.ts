import { CodecError } from '#codec';

let codes: ReadonlyMap<string, number> | undefined;

/** First and last places that GB 18030 added: some versions of Node.js decode them as `gbk` too, others do not. */
const NOT_IN_GBK: readonly (readonly [number, number])[] = [
  [0xa2e3, 0xa2e3],
  [0xa3a0, 0xa3a0],
  [0xa6d9, 0xa6df],
  [0xa6ec, 0xa6ed],
  [0xa6f3, 0xa6f3],
  [0xa8bc, 0xa8bc],
  [0xa8bf, 0xa8bf],
  [0xa989, 0xa995],
  [0xfe50, 0xfea0],
];
/** Characters that an organization gives a meaning of its own (Unicode, 23.5). */
const PRIVATE = /^[\ue000-\uf8ff]$/;

/** Characters of GBK by what the decoder makes of each pair of bytes. */
function tabulate(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('gbk');
  const table = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const code = (lead << 8) | trail;
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (character.length !== 1 || character === '\ufffd' || PRIVATE.test(character)) continue;
      if (!NOT_IN_GBK.some(([first, last]) => first <= code && code <= last)) table.set(character, code);
    }
  }
  return table;
}

/** Text in GBK. Throws CodecError `bad-parameter` for what it has no character for. */
export function toGbk(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point < 0x80) {
      bytes.push(point);
      continue;
    }
    codes ??= tabulate();
    const code = codes.get(character);
    if (code === undefined) throw new CodecError('bad-parameter', `GBK has no ${character}`);
    bytes.push(code >> 8, code & 0xff);
  }
  return Uint8Array.from(bytes);
}
