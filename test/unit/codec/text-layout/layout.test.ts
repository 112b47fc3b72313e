import { describe, expect, it } from 'vitest';
import {
  allOf,
  allOrNone,
  anyOf,
  byName,
  byVariable,
  constant,
  flag,
  hasBit,
  hasFieldsLeft,
  ifBits,
  matches,
  nested,
  not,
  number,
  numberedBits,
  numberVariable,
  repeat,
  skip,
  skipEmpty,
  skippedBits,
  TextRecord,
  textValue,
  variableIs,
  when,
} from '#codec/text';
import { read } from './read.ts';

describe('layouts', () => {
  it('keep the fields before the end of a short record', () => {
    expect(read('1,2', [number('a'), number('b'), number('c'), number('d')])).toMatchObject({
      isWhole: false,
      at: 2,
      a: 1,
      b: 2,
    });
  });

  it('take an empty field for an absent value', () => {
    const record = read(',5', [number('a'), number('b')]);
    expect(record).toMatchObject({ isWhole: true, b: 5 });
    expect(record).not.toHaveProperty('a');
  });

  it('leave unknown fields unread', () => {
    expect(read('1,2,3', [number('a'), skip()])).toMatchObject({ isWhole: true, at: 2 });
    expect(read('1', [skip(4)])).toMatchObject({ isWhole: true, at: 1 });
    expect(read(',,7', [skipEmpty, number('a')])).toMatchObject({ a: 7 });
  });

  it('read fields whose bits are set, in the order of the table', () => {
    const parts = [
      numberVariable('mask'),
      ifBits('mask', [
        [0, textValue('vin')],
        [5, number('rpm')],
        [4, number('speed')],
        ...skippedBits(6, 7),
        [31, flag('last')],
      ]),
    ];
    expect(read('800000f1,V,800,50,x,y,1,left', parts)).toMatchObject({
      isWhole: true,
      at: 7,
      vin: 'V',
      rpm: 800,
      speed: 50,
      last: true,
    });
    expect(read(',left', parts)).toMatchObject({ isWhole: true, at: 1 });
  });

  it('count the fields of bits that are of one kind', () => {
    const parts = [numberVariable('mask'), ifBits('mask', numberedBits(0, 30, textValue('io#')))];
    expect(read('8003,a,b,c', parts)).toMatchObject({ io1: 'a', io2: 'b', io16: 'c' });
  });

  it('read the parts of a variable', () => {
    const part = byVariable('type', { STT: [number('mode')], EVT: [number('event'), flag('on')] });
    expect(read('7,1', part, new TextRecord({ type: 'EVT' }))).toMatchObject({
      isWhole: true,
      at: 2,
      event: 7,
      on: true,
    });
    expect(read('7', part, new TextRecord({ type: 'XXX' }))).toMatchObject({ isWhole: true, at: 0 });
  });

  it('read fields by the names of a format, each on its own', () => {
    const record = new TextRecord();
    byName({ V: number('power'), S: number('sat'), T: textValue('t') })(['V', '?', 'S', 'T', 'V'])(
      ['12.5', 'x', 'none', '', '13'],
      record,
    );
    expect([record.draft.attributes, record.unread]).toEqual([{ power: 13 }, ['none']]);
    byName({ V: number('power') })(['V', 'V'])(['14'], record);
    expect(record.draft.attributes).toEqual({ power: 14 });
  });

  it('repeat parts, numbered in order', () => {
    const parts = [
      numberVariable('count', 10),
      repeat('count', textValue('tag#Id'), number('tag#Temp')),
      constant('done', true),
    ];
    expect(read('2,AA,1.5,BB,2.5', parts)).toMatchObject({
      tag1Id: 'AA',
      tag1Temp: 1.5,
      tag2Id: 'BB',
      tag2Temp: 2.5,
      done: true,
    });
    expect(read('2,AA,x,BB,2', parts)).toMatchObject({ isWhole: false, at: 2, tag1Id: 'AA' });
    // a count that nothing bears out, and a turn that takes nothing
    expect(read('999999999,AA', parts)).toMatchObject({ at: 2, tag1Id: 'AA' });
    expect(read('999999999,AA', [numberVariable('count', 10), repeat('count', skipEmpty)])).toMatchObject({
      isWhole: true,
      at: 1,
    });
    expect(read('1,2', [repeat(2, number('n#'))])).toMatchObject({ n1: 1, n2: 2 });
  });

  it('choose by variables and by the next fields', () => {
    const parts = [
      when(variableIs('model', 'GV*', 'GL50'), [number('vehicle')], [number('other')]),
      when(allOf(matches(/^x/), not(matches(/^y/, 1)), hasFieldsLeft(2)), [skip()]),
      when(anyOf(hasBit('mask', 1), matches(/^$/)), [skip()]),
      number('last'),
    ];
    expect(read('1,x,2', parts, new TextRecord({ model: 'GV200' }))).toMatchObject({ vehicle: 1, last: 2 });
    expect(read('1,x,5,2', parts, new TextRecord({ model: 'GL500', mask: 2 }))).toMatchObject({ other: 1, last: 2 });
    expect(read('1,x', parts, new TextRecord({ model: 'GL50' }))).toMatchObject({ vehicle: 1, isWhole: false, at: 1 });
  });

  it('remember a bounded number of values from devices', () => {
    const condition = when(variableIs('model', 'GV*'), [number('vehicle')]);
    for (let i = 0; i < 300; i++) read('1', condition, new TextRecord({ model: `X${i}` }));
    expect(read('1', condition, new TextRecord({ model: 'GV9' }))).toMatchObject({ vehicle: 1 });
  });

  it('leave all parts of a group unread if one cannot be read', () => {
    expect(read('1,2,x', [number('a'), allOrNone(number('b'), number('c'))])).toMatchObject({ isWhole: false, at: 1 });
    expect(read('1,2,3', [number('a'), allOrNone(number('b'), number('c'))])).toMatchObject({ isWhole: true, at: 3 });
  });

  it('read fields inside of a field, and keep the rest of them', () => {
    const { record, isWhole } = read('1|2|x|3,|', [
      nested('|', number('a'), number('b'), number('c')),
      nested('|', skip()),
    ]);
    expect([isWhole, record.draft.attributes, record.unread]).toEqual([true, { a: 1, b: 2 }, ['x|3']]);
  });
});
