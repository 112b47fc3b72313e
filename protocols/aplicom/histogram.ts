import { type Draft, type Reader, readOptional } from '#codec';
import { deviceTime } from './blocks.ts';

const MAX_HISTOGRAMS = 64;

/** H: how long which values were met. Source: protocol document, message H. */
export function readHistograms(reader: Reader, draft: Draft, selector: number): void {
  if (selector & 0x04) deviceTime(reader, draft);
  if (selector & 0x40) reader.skip(4);
  if (selector & 0x2000) reader.skip(2);
  readOptional(() => {
    for (let n = 1; reader.remaining > 0 && n <= MAX_HISTOGRAMS; n++) readHistogram(reader, draft, selector, `h${n}`);
  });
}

function readHistogram(reader: Reader, { attributes }: Draft, selector: number, name: string): void {
  attributes[`${name}Index`] = reader.u8();
  reader.skip(2);
  const columns = reader.u8();
  const rows = reader.u8();
  attributes[`${name}XLength`] = columns;
  attributes[`${name}YLength`] = rows;
  if (selector & 0x08) {
    attributes[`${name}XType`] = reader.u8();
    attributes[`${name}YType`] = reader.u8();
    attributes[`${name}Parameters`] = reader.u8();
  }
  const isPercent = (selector & 0x20) !== 0;
  const next = isPercent ? () => `${(reader.u8() * 0.5).toFixed(1)}%` : () => String(reader.u16());
  const cells = columns * rows;
  if (cells > reader.remaining) reader.skip(cells);
  attributes[`${name}Data`] = Array.from({ length: cells }, next).join(' ');
  attributes[`${name}Total`] = reader.u32();
  if (selector & 0x10) {
    const size = reader.u8();
    setLimits(reader, attributes, `${name}XLimits`, columns, size);
    setLimits(reader, attributes, `${name}YLimits`, rows, size);
  }
}

function setLimits(reader: Reader, attributes: Draft['attributes'], key: string, count: number, size: number): void {
  if (count < 2 || (size !== 1 && size !== 2)) return;
  const read = size === 1 ? () => reader.i8() : () => reader.i16();
  attributes[key] = Array.from({ length: count - 1 }, read).join(' ');
}
