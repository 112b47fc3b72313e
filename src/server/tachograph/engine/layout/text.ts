import type { Layout } from './layout.ts';

/** Code pages of Annex IC, appendix 1: ISO 8859 parts by number, KOI8-R and KOI8-U. In the order of preference. */
const CODE_PAGES = new Map<number, string>([
  [1, 'latin1'],
  ...[2, 3, 5, 7, 9, 13, 15, 16].map((part): [number, string] => [part, `iso-8859-${part}`]),
  [80, 'koi8-r'],
  [85, 'koi8-u'],
]);

/** ISO 8859-16 from 0xA0 on, which Node does not provide. */
const PART_16 =
  '\u00a0ĄąŁ€„Š§š©Ș«Ź\u00adźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚßàáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ';

const decoders = new Map<number, InstanceType<typeof TextDecoder>>();

function decode(page: number, bytes: Uint8Array): string {
  const label = CODE_PAGES.get(page);
  if (label === undefined || label === 'latin1') return latin1(bytes);
  if (page === 16) return latin1(bytes).replace(/[\u00a0-\u00ff]/g, (c) => PART_16[c.charCodeAt(0) - 0xa0]!);
  const decoder = decoders.get(page) ?? new TextDecoder(label);
  decoders.set(page, decoder);
  return decoder.decode(bytes);
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

const isFiller = (byte: number | undefined): boolean => byte === 0x20 || byte === 0 || byte === 0xff;

/** The content without fillers: spaces, NULs and FFs. */
function content(bytes: Uint8Array, from: number, to: number): Uint8Array {
  let start = from;
  let end = to;
  while (end > start && isFiller(bytes[end - 1])) end--;
  while (start < end && isFiller(bytes[start])) start++;
  return bytes.subarray(start, end);
}

/** Text with its code page in the first byte. */
export function text(size: number): Layout<string> {
  return {
    size,
    read(bytes, at, note) {
      const page = bytes[at]!;
      const body = content(bytes, at + 1, at + size);
      if (body.length > 0 && !CODE_PAGES.has(page)) note(`code page ${page} is unknown, read as ISO 8859-1`);
      return decode(page, body);
    },
    write(bytes, at, value) {
      const { page, body } = encode(value);
      bytes.fill(0x20, at + 1, at + size);
      bytes[at] = page;
      bytes.set(body.subarray(0, size - 1), at + 1);
    },
  };
}

/** The first code page that has every character; a character in no code page becomes a question mark. */
function encode(value: string): { page: number; body: Uint8Array } {
  for (const page of CODE_PAGES.keys()) {
    const codes = codesOf(page);
    const body = [...value].map((character) => codes.get(character));
    if (body.every((code) => code !== undefined)) return { page, body: Uint8Array.from(body) };
  }
  return { page: 1, body: Uint8Array.from([...value].map((character) => codesOf(1).get(character) ?? 0x3f)) };
}

const reversed = new Map<number, Map<string, number>>();

function codesOf(page: number): Map<string, number> {
  const known = reversed.get(page);
  if (known !== undefined) return known;
  const codes = new Map<string, number>();
  for (let code = 0x20; code < 0x100; code++) {
    if (code >= 0x7f && code < 0xa0 && page < 80) continue;
    codes.set(decode(page, Uint8Array.of(code)), code);
  }
  reversed.set(page, codes);
  return codes;
}

/** IA5 text: no code page. */
export function ia5(size: number): Layout<string> {
  return {
    size,
    read: (bytes, at) => latin1(content(bytes, at, at + size)),
    write(bytes, at, value) {
      bytes.fill(0x20, at, at + size);
      bytes.set(Buffer.from(value, 'latin1').subarray(0, size), at);
    },
  };
}
