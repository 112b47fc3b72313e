import { Draft, fromHex, type Position, Reader, readOptional } from '#codec';
import { layout, readPosition } from '#codec/binary';
import { BLOCK, ENTRIES } from './tables.ts';

const READERS = new Map(Object.entries(ENTRIES).map(([key, fields]) => [key, layout(fields)]));
const readWhole = layout(BLOCK);

/** BS51: entries `KK:HEX`. */
export function readEntries(content: string): Position {
  const draft = new Draft();
  for (const entry of content.split(',')) {
    const [key = '', hex = ''] = entry.split(':');
    readOptional(() => READERS.get(key)?.(new Reader(fromHex(hex)), draft));
  }
  return draft.toPosition();
}

/** BS50: one block of bytes. */
export const readBlock = (content: string): Position => readPosition(readWhole, new Reader(fromHex(content)));
