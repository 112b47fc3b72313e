import { describe, expect, it } from 'vitest';
import { CodecError, Draft, fromHex, Reader } from '#codec';
import {
  accessPoint,
  all,
  bcdTime,
  binaryTime,
  cell,
  cellNetwork,
  choose,
  fix,
  groupNumber,
  groups,
  hasAtLeast,
  hasBytes,
  hasWholeGroups,
  i8,
  i16,
  i16LE,
  ifInMask,
  isAscii,
  layout,
  lengthPrefixed,
  m16,
  nextNumber,
  optionalTail,
  presenceMask,
  restAsNumber,
  type Scope,
  type Sink,
  skip,
  startsWithText,
  switchOn,
  type TagList,
  tags,
  text,
  throwUnknown,
  u8,
  u16,
  u16LE,
  when,
} from '#codec/binary';
import { ascii, attributes, read } from '../../../support/layouts.ts';

describe('choices', () => {
  it('depend on the number of bytes', () => {
    const fields = choose(
      [
        [hasBytes(1, 3), u8('a')],
        [hasWholeGroups(4, 1), u8('b')],
        [hasAtLeast(6), u8('c')],
      ],
      u8('d'),
    );
    const bytes = (count: number) => '07'.repeat(count);
    expect([1, 3, 5, 9].map((count) => attributes(fields, bytes(count)))).toEqual([
      { a: 7 },
      { a: 7 },
      { b: 7 },
      { b: 7 },
    ]);
    expect([6, 4].map((count) => attributes(fields, bytes(count)))).toEqual([{ c: 7 }, { d: 7 }]);
    expect(attributes(choose([[hasBytes(2), u8('a')]]), '07')).toEqual({});
  });

  it('depend on the next bytes', () => {
    const fields = choose([
      [startsWithText('$O'), text('text', 'rest')],
      [all(nextNumber('u16', 201, 999), hasBytes(2)), u16('n')],
      [nextNumber('u8', 0x80, 0x80, 0x80), u8('signed')],
    ]);
    expect(attributes(fields, ascii('$OK'))).toEqual({ text: '$OK' });
    expect(attributes(fields, '00c9')).toEqual({ n: 201 });
    expect(attributes(fields, '8100')).toEqual({ signed: 0x81 });
    expect(attributes(fields, '0001')).toEqual({});
    expect(attributes(when(startsWithText('abc'), u8('n')), ascii('ab'))).toEqual({});
    expect(attributes(when(isAscii, text('t', 'rest')), ascii('UTC+8\r\n'))).toEqual({ t: 'UTC+8\r\n' });
    expect(attributes(when(isAscii, u8('n')), '410a01')).toEqual({});
    expect(attributes(when(isAscii, u8('n')), '4180')).toEqual({});
  });

  it('depend on a number before them', () => {
    const fields = switchOn('u8', { 1: u8('a'), 5: undefined }, u16('b'));
    expect(attributes([fields, fields, fields], '0105' + '020007' + '050008')).toEqual({ a: 5, b: 8 });
    expect(attributes(switchOn('u8', {}), '01')).toEqual({});
    expect(() => attributes(switchOn('u8', { 1: u8('a') }, throwUnknown('no such part')), '0205')).toThrow(
      'no such part (at byte 1)',
    );
    expect(attributes(switchOn('u16', { 0x2003: u8('a') }), '200309')).toEqual({ a: 9 });
  });

  it('depend on a mask', () => {
    const fields = [presenceMask('u8'), ifInMask(0x01, u8('a'), u8('b')), ifInMask(0x06, u8('c'))];
    expect(attributes(fields, '05010203')).toEqual({ a: 1, b: 2, c: 3 });
    expect(attributes(fields, '0203')).toEqual({ c: 3 });
  });
});

describe('groups', () => {
  it('count from 1 to the end, or as often as they say', () => {
    expect(attributes(groups([u8('tag#Id'), i8('tag#Rssi')]), '01ff02fe')).toEqual({
      tag1Id: 1,
      tag1Rssi: -1,
      tag2Id: 2,
      tag2Rssi: -2,
    });
    expect(attributes([groups(u8('a#'), { count: 'u8' }), u8('b')], '0201020a')).toEqual({ a1: 1, a2: 2, b: 10 });
    expect(attributes([groups(u8('a#'), { count: 2 }), u8('b')], '01020a')).toEqual({ a1: 1, a2: 2, b: 10 });
    expect(attributes(groups(u8('a#'), { count: 'u8' }), '0501')).toEqual({ a1: 1 });
    expect(attributes([groups(m16('a#'), { bytes: 2 })], '80010a')).toEqual({ a1: -1 });
    expect(Object.keys(attributes(groups(u8('a#')), '00'.repeat(80))).at(-1)).toBe('a80');
  });

  it('may bring their number, and end where nothing is read', () => {
    expect(attributes(groups([groupNumber('u8', 1), u8('tire#Temp', { add: -50 })]), '035a')).toEqual({
      tire4Temp: 40,
    });
    expect(attributes(groups(skip(0)), '0102')).toEqual({});
  });

  it('may hold groups', () => {
    const fields = groups([groups(u8('a#'), { count: 'u8' }), u8('b#')]);
    expect(attributes(fields, '020102' + '09' + '0105' + '08')).toEqual({ a1: 5, a2: 2, b1: 9, b2: 8 });
  });
});

describe('tags', () => {
  const table = { 1: u8('a'), 2: [u8('b'), u16('c')], 3: text('d', 'rest'), 9: undefined };
  const list = (more: Partial<TagList<Sink>> = {}) => tags({ id: 'u8', length: 'u8', table, ...more });

  it('skip unknown tags, or keep them if requested', () => {
    expect(attributes(list(), '010107' + '0902ffff' + '03026869')).toEqual({ a: 7, d: 'hi' });
    expect(attributes(list({ other: restAsNumber('io#') }), '010107' + '0902ffff' + '03026869')).toEqual({
      a: 7,
      io9: 65_535,
      d: 'hi',
    });
  });

  it('are not affected by a malformed tag', () => {
    expect(attributes(list(), '020105' + '010107')).toEqual({ b: 5, a: 7 });
    expect(attributes(list(), '0105070000000' + '0' + '03026869')).toEqual({ a: 7, d: 'hi' });
    expect(attributes(list(), '010107' + '02ff0500')).toEqual({ a: 7, b: 5 });
    expect(attributes(list(), '010107' + '09ff0500')).toEqual({ a: 7 });
    expect(attributes(list(), '010107' + '03')).toEqual({ a: 7 });
  });

  it('may be counted, and have bytes behind them', () => {
    expect(attributes([list({ count: 'u8' }), u8('e')], '01' + '010107' + '09')).toEqual({ a: 7, e: 9 });
    expect(attributes([list({ trailingBytes: 2 }), u16('e')], '010107' + '0102')).toEqual({ a: 7, e: 258 });
    expect(attributes(list({ minBytes: 3 }), '010107' + '0300')).toEqual({ a: 7 });
  });

  it('may have their length first, and count the id', () => {
    const wide = { id: 'u16', length: 'u16' } as const;
    expect(attributes(list({ ...wide, head: 'length, id' }), '0001' + '0001' + '07')).toEqual({ a: 7 });
    const counted = list({ ...wide, head: 'length with id, id' });
    expect(attributes(counted, '0003' + '0001' + '07' + '0000' + '0003' + '0004' + '0003' + '6869')).toEqual({
      a: 7,
      d: 'hi',
    });
  });

  it('lose what is beyond their length', () => {
    // the second starts where the first one's length says, and is not read as its value
    expect(attributes(list(), '020105' + '010107')).toEqual({ b: 5, a: 7 });
    expect(attributes(list(), '020105')).toEqual({ b: 5 });
  });

  it('may be as long as their fields', () => {
    const own = list({ lengths: 'own' });
    expect(attributes(own, '0201050102' + '09020101' + '010107')).toEqual({ b: 5, c: 258, a: 7 });
    expect(attributes(own, '010107' + '020305')).toEqual({ a: 7, b: 5 });
  });

  it('may have no length', () => {
    const own = tags({ id: 'u8', table });
    expect(attributes(own, '0107' + '02050102' + '09' + '0105')).toEqual({ a: 7, b: 5, c: 258 });
    expect(attributes(tags({ id: 'u8', table, other: skip(1), count: 'u8' }), '02' + '0909' + '0107')).toEqual({
      a: 7,
    });
  });

  it('may hold tags', () => {
    const inner = tags({ id: 'u16', length: 'u8', table: { 0x2001: u8('deep') } });
    const outer = tags({ id: 'u8', length: 'u8', table: { 1: inner, 2: u8('flat') } });
    expect(attributes(outer, '0104' + '20010105' + '020106')).toEqual({ deep: 5, flat: 6 });
    expect(attributes(outer, '0103' + '200101' + '020106')).toEqual({ flat: 6 });
  });
});

describe('parts', () => {
  it('are bounded by their count', () => {
    expect(attributes([lengthPrefixed('u8', [u8('a'), u16('b')]), u8('c')], '0205ff' + '09')).toEqual({ a: 5, c: 9 });
    expect(attributes([lengthPrefixed('u8', text('a', 'rest'), -1), u8('c')], '036869' + '09')).toEqual({
      a: 'hi',
      c: 9,
    });
    expect(attributes(lengthPrefixed('u8', [u8('a'), u16('b')]), '0905')).toEqual({ a: 5 });
  });

  it('keep the fields before missing bytes', () => {
    const draft = new Draft();
    expect(() => layout([u8('a'), u16('b')])(new Reader(fromHex('0102')), draft)).toThrow(CodecError);
    expect(draft.attributes).toEqual({ a: 1 });
    expect(attributes(optionalTail([u8('a'), u16('b'), u8('c')]), '0102')).toEqual({ a: 1 });
    expect(attributes([], '01')).toEqual({});
  });

  it('do not hide bugs', () => {
    const bug = () => {
      throw new TypeError('bug');
    };
    expect(() => read(optionalTail(bug), '')).toThrow(TypeError);
  });
});

describe('network and time', () => {
  it('reads cells and access points', () => {
    const fields = [
      cellNetwork('u16', 'u8'),
      cell([
        ['lac', 'u16'],
        ['cid', 'u32'],
        ['rssi', 'u8'],
      ]),
      cell([
        ['mcc', 'u16'],
        ['mnc', 'u16'],
        ['cid', 'u16'],
        ['lac', 'u16'],
      ]),
      cell(
        [
          ['lac', 'u8'],
          ['cid', 'u8'],
        ],
        'known',
      ),
      accessPoint('i8'),
      accessPoint(),
      ({ reader, into }: Scope) => {
        into.attributes['tag1Mac'] = reader.mac();
      },
    ];
    const bytes =
      '010601' +
      '00020000000341' +
      '0107000200040005' +
      '0001' +
      '001122334455' +
      'c9' +
      '00112233445a' +
      '0a0b0c0d0e0f';
    const { network, attributes: record } = read(fields, bytes).toPosition();
    expect(network).toEqual({
      cells: [
        { mcc: 262, mnc: 1, lac: 2, cid: 3, rssi: -65 },
        { mcc: 263, mnc: 2, lac: 5, cid: 4 },
      ],
      wifi: [{ mac: '00:11:22:33:44:55', rssi: -55 }, { mac: '00:11:22:33:44:5a' }],
    });
    expect(record).toEqual({ tag1Mac: '0a:0b:0c:0d:0e:0f' });
  });

  it('passes over parts of cells without a name, and invalid cells', () => {
    const parts = [
      ['lac', 'u8'],
      [undefined, 'u16'],
      ['cid', 'u8'],
    ] as const;
    const cellsOf = (needs: 'known' | 'lac' | 'cid' | undefined) =>
      read([cell(parts, needs), cell(parts, needs), cell(parts, needs)], '01ffff02' + '03ffff00' + '00ffff04')
        .toPosition()
        .network?.cells?.map(({ lac, cid }) => [lac, cid]);
    expect(cellsOf(undefined)).toHaveLength(3);
    expect(cellsOf('known')).toEqual([[1, 2]]);
    expect(cellsOf('lac')).toEqual([
      [1, 2],
      [3, 0],
    ]);
    expect(cellsOf('cid')).toEqual([
      [1, 2],
      [0, 4],
    ]);
  });

  it('reads clocks', () => {
    const noon = Date.UTC(2024, 5, 1, 12, 30, 15);
    expect(read(bcdTime('device'), '240601123015')).toMatchObject({ deviceTime: noon, hasFix: false });
    expect(read(bcdTime('fix', 'day first'), '010624123015')).toMatchObject({ fixTime: noon, hasFix: true });
    expect(read(bcdTime('device'), '240601203015', 'GMT+8').deviceTime).toBe(noon);
    expect(read(bcdTime('device'), '240601180015', 'GMT+05:30').deviceTime).toBe(noon);
    expect(read(bcdTime('device', 'year first', 'UTC'), '240601123015', 'GMT+8').deviceTime).toBe(noon);
    expect(read(binaryTime('fix'), '1806010c1e0f')).toMatchObject({ fixTime: noon, hasFix: true });
    expect(read(binaryTime('device'), '180601141e0f', 'GMT+8').deviceTime).toBe(noon);
    expect(() => read(binaryTime('device'), '180601141e0f', 'constructor')).toThrow(CodecError);
    expect(read(fix.deviceTime('u16LE', 60_000, noon), '0200').deviceTime).toBe(noon + 120_000);
  });

  it('reads little endian fields', () => {
    expect(attributes([u16LE('a'), i16LE('b'), i16('c')], '0100' + 'feff' + 'fffe')).toEqual({ a: 1, b: -2, c: -2 });
  });
});
