import { setIfPresent } from '#codec';
import {
  extendToEnd,
  type Field,
  type FieldList,
  hemispheres,
  inOrder,
  layout,
  lengthPrefixed,
  type NumberUse,
  optionalTail,
} from '#codec/binary';

/** A length, then so many bytes; the next block begins behind them, whatever was read. */
export const block = (...fields: readonly FieldList[]): Field => lengthPrefixed('u16', [extendToEnd, fields]);

/** Four digits, of which the operator's have three. */
export const operator: Field = (scope) => {
  const { reader } = scope;
  scope.mcc = reader.bcd() * 100 + reader.bcd();
  scope.mnc = (reader.bcd() * 100 + reader.bcd()) % 1000;
};

/** A cell whose type and length stand in a byte. */
export function typedCell(table: Readonly<Record<number, FieldList>>, otherwise: FieldList): Field {
  const byType = new Map(Object.entries(table).map(([type, fields]) => [Number(type), layout(fields)]));
  const other = layout(otherwise);
  return ({ reader, into }) => {
    const head = reader.u8();
    (byType.get(head >> 5) ?? other)(reader.slice(head & 0x1f), into);
  };
}

/** A sign and tenths of a degree; undefined if the sensor is absent. */
function degreesOf(raw: number): number | undefined {
  const value = (raw & 0x3fff) / 10;
  if (raw & 0x8000) return undefined;
  return raw & 0x4000 ? 0 - value : value;
}

export const temperature: NumberUse = (raw, { into }) => setIfPresent(into.attributes, 'temp1', degreesOf(raw));

/** The fields of the last row whose length is reached. They may be more than the length says. */
export function status(...rows: readonly (readonly [length: number, fields: FieldList])[]): Field {
  const longestFirst = rows.map(([least, fields]) => ({ least, read: optionalTail(inOrder(fields)) })).reverse();
  return (scope) => {
    const { reader } = scope;
    const length = reader.u16();
    const end = Math.min(reader.offset + length, reader.end);
    for (const { least, read } of longestFirst) {
      if (length < least) continue;
      read(scope);
      break;
    }
    reader.offset = end;
  };
}

/** The number of a card, in hex digits; the last one that is there counts. */
export const card: Field = ({ reader, into }) => {
  const digits = reader.u8();
  const number = reader.hex(Math.ceil(digits / 2)).slice(digits % 2);
  if (number !== '') into.attributes['card1'] = number;
};

/** Tags of one size with a temperature each. */
export const tagList: Field = ({ reader, into }) => {
  const count = reader.u8();
  const size = reader.u8();
  for (let n = 1; n <= count; n++) {
    const tag = reader.slice(size);
    tag.skip(3);
    setIfPresent(into.attributes, `temp${n}`, degreesOf(tag.u16LE()));
  }
};

/** The record has a time of its own. */
export const fixTime: Field = ({ reader, into }) => {
  into.fixTime = reader.date6();
};
export const hasFix: Field = ({ into }) => {
  into.hasFix = true;
};
/** Flags that stand before the coordinates which they belong to. */
export const flags: Field = (scope) => {
  scope.mask = scope.reader.u8();
};
const applySigns = hemispheres({ north: 0x01, west: 0x02 });
export const signs: Field = (scope) => applySigns(scope.mask, scope);
