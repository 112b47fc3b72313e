import { describe, expect, it } from 'vitest';
import { Fields, Told, textLayout } from '#codec';

const {
  accessPoints,
  alarm,
  alarms,
  all,
  always,
  any,
  anyText,
  behind,
  behindMark,
  both,
  byFact,
  byLook,
  cell,
  digitFlags,
  fact,
  factText,
  fix,
  flag,
  hasBit,
  hasLeft,
  hex,
  hexText,
  hourMeter,
  ignored,
  inner,
  integer,
  is,
  isText,
  layout,
  looks,
  masked,
  not,
  number,
  numberedBits,
  plain,
  recall,
  skip,
  skipEmpty,
  skippedBits,
  states,
  timeOf,
  times,
  when,
  whole,
  word,
} = textLayout;

/** What a text of fields tells, and how far it was read. */
function read(text: string, parts: readonly textLayout.Part[] | textLayout.Layout, told = new Told()) {
  const fields = new Fields(text.split(','));
  const isWhole = ('kind' in parts ? parts : layout(...parts)).walk(fields, told);
  return { isWhole, at: fields.at, told, ...told.draft.attributes };
}

describe('values', () => {
  it('read numbers, whole, hexadecimal and scaled', () => {
    expect(
      read('1.5,7,fF,12.5,-20', [
        number('a'),
        integer('b'),
        hex('c'),
        number('d', { factor: 1000, per: 4, plus: 1 }),
        number('e', { round: true }),
      ]),
    ).toMatchObject({ isWhole: true, a: 1.5, b: 7, c: 255, d: 3126, e: -20 });
    expect(read('1.4996,FFAD', [number('km', { factor: 1000, round: true }), hex('t', { bits: 16 })])).toMatchObject({
      km: 1500,
      t: -83,
    });
    expect(read('1F', [hex('id', { asText: true })])).toMatchObject({ id: '31' });
  });

  it('take a number up to a bound for none', () => {
    const parts = [number('power', { per: 1000, above: 10 })];
    expect(read('10', parts)).not.toHaveProperty('power');
    expect(read('12011', parts)).toHaveProperty('power', 12.011);
  });

  it('stop at what is no such value, which stays unread', () => {
    for (const [text, part] of [
      ['x', number('a')],
      ['1.5', integer('a')],
      ['-5', cell.lac],
      ['0G', hex('a')],
      ['12:x', hourMeter('a')],
      ['x', flag('a')],
      ['2009', fix.time('yyyyMMddHHmmss')],
      ['abc', hexText(plain('a'))],
      ['zz', byLook([/^\d/, number('a')])],
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
        isText('c', '2'),
        plain('d'),
        states({ '1A': { ignition: true, motion: false } }),
        states({ '1': { charge: true } }),
        alarms({ '3': 'sos' }),
        alarms({ '3': 'tow' }),
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
      word(16, { key: 'ignition', bit: 21, no: 20 }, { key: 'input', bit: 8, width: 8 }, { key: 'out1', bit: 0 }),
    ];
    expect(read('220104', parts)).toMatchObject({ ignition: true, input: 1, out1: false });
    expect(read('110001', parts)).toMatchObject({ ignition: false, input: 0, out1: true });
    expect(read('000000', parts)).not.toHaveProperty('ignition');
    expect(read('3', [word(10, { key: 'motion', bit: 0 })])).toMatchObject({ motion: true });
  });

  it('read by the look, behind letters, in two ways, and from hex', () => {
    const analogue = byLook([/^F/, behind(1, number('fuel'))], [/^/, number('adc')]);
    expect(read('F45.5,1930,F', [analogue, analogue, analogue])).toMatchObject({
      isWhole: true,
      fuel: 45.5,
      adc: 1930,
    });
    expect(read('7', [both(number('a'), plain('b'))])).toMatchObject({ a: 7, b: '7' });
    expect(read('4f4b', [hexText(plain('result'))])).toMatchObject({ result: 'OK' });
    expect(read('00012:30:05,x', [hourMeter('hours'), ignored])).toMatchObject({ isWhole: true, hours: 45_005_000 });
  });

  it('read lines one after another, what stands behind a mark, and text that may be empty', () => {
    const parts = [digitFlags('a', 'b'), behindMark(':', number('t')), behindMark(':', number('u')), anyText('e')];
    expect(read('10x,28FF:-20.8,7,', parts)).toMatchObject({ isWhole: true, a: true, b: false, t: -20.8, u: 7, e: '' });
    expect(read('1', [digitFlags('a', 'b')])).not.toHaveProperty('a');
  });

  it('read alarms by their flags, whole numbers with a point, and blanks around a number', () => {
    expect(read('1,0,12.0, 7 ', [alarm('sos'), alarm('tow'), integer('i'), number('n')])).toMatchObject({
      alarm: 'sos',
      i: 12,
      n: 7,
    });
    expect(read('1.99,-1.99', [number('a', { cut: true }), number('b', { factor: 10, cut: true })])).toMatchObject({
      a: 1,
      b: -19,
    });
    expect(read('007', [states({ 7: { ignition: true } })])).toMatchObject({ ignition: true });
  });

  it('keep a text that is told later', () => {
    const parts = [factText('kind'), number('rssi'), recall('kind', word(10, { key: 'charge', bit: 1 })), skip()];
    expect(read('2,9,x,y', parts)).toMatchObject({ rssi: 9, charge: true });
    expect(read(',9,x,y', parts)).not.toHaveProperty('charge');
  });
});

describe('fix and cells', () => {
  const place: textLayout.Part[] = [
    fix.time('yyMMddHHmmss'),
    fix.latitude,
    fix.longitude,
    fix.altitude,
    fix.speed(2),
    fix.course(),
  ];

  it('make a position once place and time are there', () => {
    const { told } = read('240601120000,48.5,-11.25,520,10,-90', place);
    const time = Date.UTC(2024, 5, 1, 12);
    expect(told.toPosition()).toEqual({
      type: 'position',
      deviceTime: time,
      fixTime: time,
      valid: true,
      latitude: 48.5,
      longitude: -11.25,
      altitude: 520,
      speed: 20,
      course: 270,
      attributes: {},
    });
  });

  it('make a record without a fix otherwise, with its time', () => {
    const { told } = read('20240601120000,48.5,,1,2', [
      fix.deviceTime('yyyyMMddHHmmss'),
      fix.latitude,
      fix.longitude,
      fix.valid,
      number('a'),
    ]);
    expect(told.toPosition()).toMatchObject({
      deviceTime: Date.UTC(2024, 5, 1, 12),
      outdated: true,
      attributes: { a: 2 },
    });
  });

  it('take the day and the time of it from two fields', () => {
    const parts = [fix.day('dd/MM/yyyy'), fix.clock('HH:mm'), fix.latitude, fix.longitude, fix.validAt('A')];
    expect(read('01/06/2024,12:30,1,2,A', parts).told.toPosition()).toMatchObject({
      fixTime: Date.UTC(2024, 5, 1, 12, 30),
      valid: true,
    });
    expect(read('01/06/2024,,1,2,', parts).told.toPosition()).toMatchObject({
      fixTime: Date.UTC(2024, 5, 1),
      valid: false,
    });
  });

  it('read minutes behind degrees, and times in a format that is a fact', () => {
    const parts = [fix.time({ fact: 'format' }), fix.latitudeInMinutes, fix.longitudeInMinutes];
    expect(read('2406011230,+4807.5,-01130.000', parts, new Told({ format: 'yyMMddHHmm' })).told).toMatchObject({
      fixTime: Date.UTC(2024, 5, 1, 12, 30),
      latitude: 48.125,
      longitude: -11.5,
    });
    expect(read('20240601123000,+4807.5,4807.5', parts).told).toMatchObject({ latitude: 48.125, longitude: undefined });
  });

  it('refuse coordinates off the globe', () => {
    expect(() => read('240601120000,91,0', place).told.toPosition()).toThrow('not on the globe');
  });

  it('say that a fix is not valid', () => {
    expect(read('0,240601120000,1,1', [fix.valid, ...place]).told.toPosition()).toMatchObject({
      valid: false,
      latitude: 1,
    });
  });

  it('add cells whose needed parts are there', () => {
    const parts = [cell.mcc, cell.mnc, cell.lacHex, cell.cidHex, cell.level];
    expect(read('0262,02,1450,9F13,57', [...parts, cell.end()]).told.toPosition().network).toEqual({
      cells: [{ mcc: 262, mnc: 2, lac: 0x1450, cid: 0x9f13, rssi: -57 }],
    });
    expect(read('0262,,1450,9F13,', [...parts, cell.end()]).told.toPosition().network).toBeUndefined();
    expect(
      read('0262,,10,20', [cell.mcc, cell.mnc, cell.lac, cell.cid, cell.end('mcc')]).told.toPosition().network,
    ).toEqual({ cells: [{ mcc: 262, mnc: 0, lac: 10, cid: 20 }] });
  });

  it('read seconds, parts of a degree, and an operator in one text', () => {
    const parts = [
      fix.unixTime,
      fix.latitudePer(1e6),
      fix.longitudePer(1e6),
      cell.operator,
      cell.lac,
      cell.cid,
      cell.rssi,
    ];
    const position = read('1717243200,48125000,-11500000,26202,10,20,57', [...parts, cell.end()]).told.toPosition();
    expect(position).toMatchObject({ fixTime: 1_717_243_200_000, latitude: 48.125, longitude: -11.5 });
    expect(position.network).toEqual({ cells: [{ mcc: 262, mnc: 2, lac: 10, cid: 20, rssi: 57 }] });
    expect(read('1,x', [fix.unixTime, fix.latitudePer(10)])).toMatchObject({ isWhole: false, at: 1 });
    expect(read('262', [cell.operator])).toMatchObject({ isWhole: false, at: 0 });
  });

  it('add access points, whatever stands between them', () => {
    const { told } = read('AABBCCDDEEFF:-60|x|aabbccddee00:7', [accessPoints(/([0-9A-Fa-f]{12}):(-?\d{1,3})/g)]);
    expect(told.toPosition().network).toEqual({
      wifi: [
        { mac: 'AA:BB:CC:DD:EE:FF', rssi: -60 },
        { mac: 'aa:bb:cc:dd:ee:00', rssi: -7 },
      ],
    });
  });

  it('read times in any order of parts', () => {
    expect(timeOf('31/12/2023 23:59:58', 'dd/MM/yyyy HH:mm:ss')).toBe(Date.UTC(2023, 11, 31, 23, 59, 58));
    expect(timeOf('2405', 'yyMM')).toBe(Date.UTC(2024, 4, 1));
    expect(timeOf('24x5', 'yyMM')).toBeUndefined();
    expect(timeOf('240', 'yyMM')).toBeUndefined();
  });
});

describe('layouts', () => {
  it('keep what stands before the end of a short record', () => {
    expect(read('1,2', [number('a'), number('b'), number('c'), number('d')])).toMatchObject({
      isWhole: false,
      at: 2,
      a: 1,
      b: 2,
    });
  });

  it('take an empty field for an absent value', () => {
    const told = read(',5', [number('a'), number('b')]);
    expect(told).toMatchObject({ isWhole: true, b: 5 });
    expect(told).not.toHaveProperty('a');
  });

  it('leave what they do not know unread', () => {
    expect(read('1,2,3', [number('a'), skip()])).toMatchObject({ isWhole: true, at: 2 });
    expect(read('1', [skip(4)])).toMatchObject({ isWhole: true, at: 1 });
    expect(read(',,7', [skipEmpty, number('a')])).toMatchObject({ a: 7 });
  });

  it('read fields whose bits are set, in the order of the table', () => {
    const parts = [
      fact('mask'),
      masked('mask', [
        [0, plain('vin')],
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
    const parts = [fact('mask'), masked('mask', numberedBits(0, 30, plain('io#')))];
    expect(read('8003,a,b,c', parts)).toMatchObject({ io1: 'a', io2: 'b', io16: 'c' });
  });

  it('read what belongs to a fact', () => {
    const part = byFact('type', { STT: [number('mode')], EVT: [number('event'), flag('on')] });
    expect(read('7,1', part, new Told({ type: 'EVT' }))).toMatchObject({ isWhole: true, at: 2, event: 7, on: true });
    expect(read('7', part, new Told({ type: 'XXX' }))).toMatchObject({ isWhole: true, at: 0 });
  });

  it('read fields by the names of a format, each on its own', () => {
    const told = new Told();
    textLayout.named({ V: number('power'), S: number('sat'), T: plain('t') })(['V', '?', 'S', 'T', 'V'])(
      ['12.5', 'x', 'none', '', '13'],
      told,
    );
    expect([told.draft.attributes, told.unread]).toEqual([{ power: 13 }, ['none']]);
    textLayout.named({ V: number('power') })(['V', 'V'])(['14'], told);
    expect(told.draft.attributes).toEqual({ power: 14 });
  });

  it('repeat parts, numbered by their turn', () => {
    const parts = [fact('count', 10), times('count', plain('tag#Id'), number('tag#Temp')), always('done', true)];
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
    expect(read('999999999,AA', [fact('count', 10), times('count', skipEmpty)])).toMatchObject({
      isWhole: true,
      at: 1,
    });
    expect(read('1,2', [times(2, number('n#'))])).toMatchObject({ n1: 1, n2: 2 });
  });

  it('choose by facts and by what comes next', () => {
    const parts = [
      when(is('model', 'GV*', 'GL50'), [number('vehicle')], [number('other')]),
      when(all(looks(/^x/), not(looks(/^y/, 1)), hasLeft(2)), [skip()]),
      when(any(hasBit('mask', 1), looks(/^$/)), [skip()]),
      number('last'),
    ];
    expect(read('1,x,2', parts, new Told({ model: 'GV200' }))).toMatchObject({ vehicle: 1, last: 2 });
    expect(read('1,x,5,2', parts, new Told({ model: 'GL500', mask: 2 }))).toMatchObject({ other: 1, last: 2 });
    expect(read('1,x', parts, new Told({ model: 'GL50' }))).toMatchObject({ vehicle: 1, isWhole: false, at: 1 });
  });

  it('remember only so many facts that devices made up', () => {
    const condition = when(is('model', 'GV*'), [number('vehicle')]);
    for (let i = 0; i < 300; i++) read('1', condition, new Told({ model: `X${i}` }));
    expect(read('1', condition, new Told({ model: 'GV9' }))).toMatchObject({ vehicle: 1 });
  });

  it('leave parts that stand together unread together', () => {
    expect(read('1,2,x', [number('a'), whole(number('b'), number('c'))])).toMatchObject({ isWhole: false, at: 1 });
    expect(read('1,2,3', [number('a'), whole(number('b'), number('c'))])).toMatchObject({ isWhole: true, at: 3 });
  });

  it('read fields inside of a field, and keep the rest of them', () => {
    const { told, isWhole } = read('1|2|x|3,|', [
      inner('|', number('a'), number('b'), number('c')),
      inner('|', skip()),
    ]);
    expect([isWhole, told.draft.attributes, told.unread]).toEqual([true, { a: 1, b: 2 }, ['x|3']]);
  });
});
