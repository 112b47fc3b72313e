import { describe, expect, it } from 'vitest';
import { Told, textLayout } from '#codec';

const { capture, cell, factText, field, grammar, inner, maybe, number, oneOf, optional, plain, repeated, sequence } =
  textLayout;

const PLACE = sequence(maybe('\\d{1,3}', number('hdop')), field('\\d{1,3}\\.\\d', number('speed')), cell.end());

const report = grammar(
  'R,',
  optional(field('[0-9A-Z]{17}', plain('vin'))),
  field('[^,]{0,8}'),
  repeated(PLACE, 4, factText('places')),
  oneOf(
    sequence(field('\\d{1,5}|none', number('millivolts')), field('[01]|x')),
    sequence(optional(maybe('\\d\\.\\d', number('km'))), maybe('\\d{1,3}', number('level'))),
  ),
  '$',
);

function read(text: string) {
  const told = new Told();
  const end = report.read(text, told);
  return { end, told, ...told.draft.attributes, ...told.facts };
}

describe('a grammar', () => {
  it('tells its groups, and gives back what may be missing', () => {
    expect(read('R,ABCDEFGH123456789,name,1,2.5,3700,1,')).toMatchObject({
      end: 38,
      vin: 'ABCDEFGH123456789',
      millivolts: 3700,
      places: '1,2.5,',
    });
    // what could be the name's is the VIN's only where a name follows
    expect(read('R,,1,2.5,,3.5,9.5,88,')).toMatchObject({ places: '1,2.5,,3.5,', km: 9.5, level: 88 });
    expect(read('R,,1,2.5,88,')).toMatchObject({ level: 88 });
  });

  it('tells nothing where the whole does not match', () => {
    const { end, told } = read('R,ABCDEFGH123456789,name,1,2.5,3700,1,more');
    expect([end, told.draft.attributes, told.facts]).toEqual([-1, {}, {}]);
  });

  it('keeps the text of a group that its value refuses', () => {
    const { told } = read('R,,1,2.5,none,1,');
    expect([told.draft.attributes, told.unread]).toEqual([{}, ['none']]);
  });

  it('reads a piece again and again, a record each', () => {
    const records: Told[] = [];
    const end = grammar(PLACE).readAll('1,2.5,,3.5,x', () => {
      records.push(new Told());
      return records.at(-1)!;
    });
    expect([end, records.map(({ draft }) => draft.attributes)]).toEqual([
      11,
      [{ hdop: 1, speed: 2.5 }, { speed: 3.5 }],
    ]);
    expect(grammar('[a-z]{0,3}').readAll('', () => new Told())).toBe(0);
  });

  it('reads lists inside of a group', () => {
    const told = new Told();
    grammar(capture('[^;]*', inner(',', number('a'), number('b'))), ';').read('1,2,3;', told);
    expect([told.draft.attributes, told.unread]).toEqual([{ a: 1, b: 2 }, ['3']]);
  });

  it('counts only its own groups in a piece that is repeated', () => {
    const told = new Told();
    const pieces = repeated(sequence(field('[(]\\(?', plain('never'))), 3, factText('all'));
    expect(grammar(pieces, field('\\d', number('n'))).read('((,(,7,', told)).toBe(7);
    expect([told.facts, told.draft.attributes]).toEqual([{ all: '((,(,' }, { n: 7 }]);
  });
});
