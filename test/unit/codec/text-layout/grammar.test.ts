import { describe, expect, it } from 'vitest';
import {
  capture,
  cell,
  field,
  grammar,
  nested,
  number,
  oneOf,
  optional,
  optionalField,
  repeated,
  sequence,
  TextRecord,
  textValue,
} from '#codec/text';

const PLACE = sequence(optionalField('\\d{1,3}', number('hdop')), field('\\d{1,3}\\.\\d', number('speed')), cell.end());

const report = grammar(
  'R,',
  optional(field('[0-9A-Z]{17}', textValue('vin'))),
  field('[^,]{0,8}'),
  repeated(PLACE, 4),
  oneOf(
    sequence(field('\\d{1,5}|none', number('millivolts')), field('[01]|x')),
    sequence(optional(optionalField('\\d\\.\\d', number('km'))), optionalField('\\d{1,3}', number('level'))),
  ),
  '$',
);

function read(text: string) {
  const record = new TextRecord();
  const end = report(text, record);
  const earlier = record.earlier.map(({ draft }) => draft.attributes);
  return { end, record, earlier, ...record.draft.attributes };
}

describe('a grammar', () => {
  it('applies its groups, and gives back what may be missing', () => {
    expect(read('R,ABCDEFGH123456789,name,1,2.5,3700,1,')).toMatchObject({
      end: 38,
      vin: 'ABCDEFGH123456789',
      millivolts: 3700,
      earlier: [],
      hdop: 1,
      speed: 2.5,
    });
    // what could be the name's is the VIN's only where a name follows
    expect(read('R,,1,2.5,,3.5,9.5,88,')).toMatchObject({
      earlier: [{ hdop: 1, speed: 2.5 }],
      speed: 3.5,
      km: 9.5,
      level: 88,
    });
    expect(read('R,,1,2.5,88,')).toMatchObject({ level: 88 });
  });

  it('applies nothing if the whole does not match', () => {
    const { end, record } = read('R,ABCDEFGH123456789,name,1,2.5,3700,1,more');
    expect([end, record.draft.attributes, record.earlier]).toEqual([-1, {}, []]);
  });

  it('keeps the text of a group that its value refuses', () => {
    const { record } = read('R,,1,2.5,none,1,');
    expect([record.draft.attributes, record.unread]).toEqual([{ hdop: 1, speed: 2.5 }, ['none']]);
  });

  it('reads lists inside of a group', () => {
    const record = new TextRecord();
    grammar(capture('[^;]*', nested(',', number('a'), number('b'))), ';')('1,2,3;', record);
    expect([record.draft.attributes, record.unread]).toEqual([{ a: 1, b: 2 }, ['3']]);
  });

  it('counts only its own groups in a piece that is repeated', () => {
    const record = new TextRecord();
    const pieces = repeated(sequence(field('[(]\\(?', textValue('text'))), 3);
    expect(grammar(pieces, field('\\d', number('n')))('((,(,7,', record)).toBe(7);
    expect([record.earlier[0]?.draft.attributes, record.draft.attributes]).toEqual([
      { text: '((' },
      { text: '(', n: 7 },
    ]);
  });

  it('keeps the text of records that cannot be separated again', () => {
    const record = new TextRecord();
    expect(grammar(repeated(capture('a|ab', textValue('text')), 1), 'c')('abc', record)).toBe(3);
    expect(record.unread).toEqual(['ab']);
  });
});
