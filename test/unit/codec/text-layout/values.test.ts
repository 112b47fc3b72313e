import { describe, expect, it } from 'vitest';
import {
  afterChars,
  afterSeparator,
  alarm,
  alarmsByText,
  all,
  attributesByText,
  bitField,
  cell,
  digitFlags,
  fix,
  flag,
  fromVariable,
  hex,
  hexText,
  hourMeter,
  ignored,
  integer,
  matchFirst,
  number,
  skip,
  textEquals,
  textValue,
  textVariable,
} from '#codec/text';
import { read } from './read.ts';

describe('values', () => {
  it('read numbers, whole, hexadecimal and scaled', () => {
    expect(
      read('1.5,7,fF,12.5,-20', [
        number('a'),
        integer('b'),
        hex('c'),
        number('d', { factor: 1000, divisor: 4, add: 1 }),
        number('e', { round: true }),
      ]),
    ).toMatchObject({ isWhole: true, a: 1.5, b: 7, c: 255, d: 3126, e: -20 });
    expect(read('1.4996,FFAD', [number('km', { factor: 1000, round: true }), hex('t', { bits: 16 })])).toMatchObject({
      km: 1500,
      t: -83,
    });
    expect(read('1F', [hex('id', { asText: true })])).toMatchObject({ id: '31' });
  });

  it('treat numbers up to a bound as absent', () => {
    const parts = [number('power', { divisor: 1000, noValueUpTo: 10 })];
    expect(read('10', parts)).not.toHaveProperty('power');
    expect(read('12011', parts)).toHaveProperty('power', 12.011);
  });

  it('stop at a text of another form, which stays unread', () => {
    for (const [text, part] of [
      ['x', number('a')],
      ['1.5', integer('a')],
      ['-5', cell.lac],
      ['0G', hex('a')],
      ['12:x', hourMeter('a')],
      ['x', flag('a')],
      ['2009', fix.time('yyyyMMddHHmmss')],
      ['abc', hexText(textValue('a'))],
      ['zz', matchFirst([/^\d/, number('a')])],
    ] as const) {
      expect(read(`1,${text},3`, [number('first'), part, number('last')])).toMatchObject({
        isWhole: false,
        at: 1,
        first: 1,
      });
    }
  });

  it('read flags, texts, states and alarms', () => {
    expect(
      read('1,0,1,on,1a,9,3,3', [
        flag('a'),
        flag('b'),
        textEquals('c', '2'),
        textValue('d'),
        attributesByText({ '1A': { ignition: true, motion: false } }),
        attributesByText({ '1': { charge: true } }),
        alarmsByText({ '3': 'sos' }),
        alarmsByText({ '3': 'tow' }),
      ]),
    ).toMatchObject({
      isWhole: true,
      a: true,
      b: false,
      c: false,
      d: 'on',
      ignition: true,
      motion: false,
      alarm: 'sos,tow',
    });
  });

  it('read words of bits', () => {
    const parts = [
      bitField(
        16,
        { key: 'ignition', bit: 21, falseBit: 20 },
        { key: 'input', bit: 8, width: 8 },
        { key: 'out1', bit: 0 },
      ),
    ];
    expect(read('220104', parts)).toMatchObject({ ignition: true, input: 1, out1: false });
    expect(read('110001', parts)).toMatchObject({ ignition: false, input: 0, out1: true });
    expect(read('000000', parts)).not.toHaveProperty('ignition');
    expect(read('3', [bitField(10, { key: 'motion', bit: 0 })])).toMatchObject({ motion: true });
  });

  it('read by pattern, after letters, in two ways, and from hex', () => {
    const analogue = matchFirst([/^F/, afterChars(1, number('fuel'))], [/^/, number('adc')]);
    expect(read('F45.5,1930,F', [analogue, analogue, analogue])).toMatchObject({
      isWhole: true,
      fuel: 45.5,
      adc: 1930,
    });
    expect(read('7', [all(number('a'), textValue('b'))])).toMatchObject({ a: 7, b: '7' });
    expect(read('4f4b', [hexText(textValue('result'))])).toMatchObject({ result: 'OK' });
    expect(read('00012:30:05,x', [hourMeter('hours'), ignored])).toMatchObject({ isWhole: true, hours: 45_005_000 });
  });

  it('read lines one after another, what stands behind a mark, and text that may be empty', () => {
    const parts = [digitFlags('a', 'b'), afterSeparator(':', number('t')), afterSeparator(':', number('u'))];
    expect(read('10x,28FF:-20.8,7', parts)).toMatchObject({ isWhole: true, a: true, b: false, t: -20.8, u: 7 });
    expect(read('1', [digitFlags('a', 'b')])).not.toHaveProperty('a');
  });

  it('read alarms by their flags, whole numbers with a point, and spaces around a number', () => {
    expect(read('1,0,12.0, 7 ', [alarm('sos'), alarm('tow'), integer('i'), number('n')])).toMatchObject({
      alarm: 'sos',
      i: 12,
      n: 7,
    });
    expect(
      read('1.99,-1.99', [number('a', { truncate: true }), number('b', { factor: 10, truncate: true })]),
    ).toMatchObject({
      a: 1,
      b: -19,
    });
    expect(read('007', [attributesByText({ 7: { ignition: true } })])).toMatchObject({ ignition: true });
  });

  it('keep a text that is applied later', () => {
    const parts = [
      textVariable('kind'),
      number('rssi'),
      fromVariable('kind', bitField(10, { key: 'charge', bit: 1 })),
      skip(),
    ];
    expect(read('2,9,x,y', parts)).toMatchObject({ rssi: 9, charge: true });
    expect(read(',9,x,y', parts)).not.toHaveProperty('charge');
  });
});
