import { CodecError } from '#codec';

let codes: ReadonlyMap<string, number> | undefined;

/** Characters of GBK by what the decoder makes of each pair of bytes. */
function tabulate(): ReadonlyMap<string, number> {
  const decoder = new TextDecoder('gbk');
  const table = new Map<string, number>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const character = decoder.decode(Uint8Array.of(lead, trail));
      if (character.length === 1 && character !== '\ufffd') table.set(character, (lead << 8) | trail);
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
