import { type Draft, fromLatin1, type Reader, toLatin1 } from '#codec';

/** A value of a message: how it is read, its key, and what it is multiplied with and then divided by. */
type Kind = 'u8' | 'u16' | 'i16' | 'u32' | 'i32';
export type Value = readonly [kind: Kind, key: string, factor?: number, per?: number];

const READ: Readonly<Record<Kind, (reader: Reader) => number>> = {
  u8: (reader) => reader.u8(),
  u16: (reader) => reader.u16(),
  i16: (reader) => reader.i16(),
  u32: (reader) => reader.u32(),
  i32: (reader) => reader.i32(),
};

export type Read = (reader: Reader, draft: Draft) => void;
/** What lies in a message where the selector has one of these bits; 0: always. */
export type Block = readonly [bits: number, read: Read];

export const values =
  (...list: readonly Value[]): Read =>
  (reader, { attributes }) => {
    for (const [kind, key, factor = 1, per = 1] of list) attributes[key] = (READ[kind](reader) * factor) / per;
  };

export const skip =
  (bytes: number): Read =>
  (reader) =>
    reader.skip(bytes);

export const inOrder =
  (...reads: readonly Read[]): Read =>
  (reader, draft) => {
    for (const read of reads) read(reader, draft);
  };

export const deviceTime: Read = (reader, draft) => {
  draft.deviceTime = reader.u32() * 1000;
};

/** Text without surrounding spaces and control characters. */
export function trimmed(reader: Reader, bytes: number): string {
  const view = reader.view(bytes);
  let start = 0;
  let end = view.length;
  while (start < end && view[start]! <= 0x20) start++;
  while (end > start && view[end - 1]! <= 0x20) end--;
  return toLatin1(view, start, end);
}

export const textIfAny =
  (key: string, bytes: number): Read =>
  (reader, { attributes }) => {
    const text = trimmed(reader, bytes);
    if (text !== '') attributes[key] = text;
  };

export function readBlocks(reader: Reader, draft: Draft, selector: number, blocks: readonly Block[]): void {
  for (const [bits, read] of blocks) if (bits === 0 || (selector & bits) !== 0) read(reader, draft);
}

export const EB = fromLatin1('EB');
