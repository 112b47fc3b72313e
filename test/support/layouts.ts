import { Draft, fromHex, Reader } from '#codec';
import { type FieldList, layout } from '#codec/binary';

/** What a layout makes of bytes in hex. */
export function read(fields: FieldList, bytes: string, zone?: string): Draft {
  const draft = new Draft();
  layout(fields)(new Reader(fromHex(bytes)), draft, zone);
  return draft;
}

export const attributes = (fields: FieldList, bytes: string) => read(fields, bytes).attributes;
/** Hex of text, one byte a character. */
export const ascii = (characters: string): string => Buffer.from(characters, 'latin1').toString('hex');
