import { describe, expect, it } from 'vitest';
import { encodeCard, tlv } from '../../../src/server/tachograph/engine/card/encode.ts';
import { parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import { dateOfBirth } from '../../../src/server/tachograph/engine/layout/layout.ts';
import { activityChange, position } from '../../../src/server/tachograph/engine/layout/shared.ts';
import { text } from '../../../src/server/tachograph/engine/layout/text.ts';
import type { CardFile, CardKind, VehicleUnitFile } from '../../../src/server/tachograph/engine/records.ts';

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const quiet = (): void => {};

describe('scalars, from the data dictionary', () => {
  it.each([
    // s c p aa ttttttttttt
    ['0000', { minute: 0, activity: 'rest', slot: 'driver', inserted: true, status: 'single' }],
    ['197d', { minute: 381, activity: 'driving', slot: 'driver', inserted: true, status: 'single' }],
    ['d19f', { minute: 415, activity: 'work', slot: 'co-driver', inserted: true, status: 'crew' }],
    ['2000', { minute: 0, activity: 'rest', slot: 'driver', inserted: false, status: 'unknown' }],
    ['6d9f', { minute: 1439, activity: 'availability', slot: 'driver', inserted: false, status: 'manual' }],
  ] as const)('ActivityChangeInfo %s', (hex, meaning) => {
    expect(activityChange.read(bytes(hex), 0, quiet)).toEqual(meaning);
  });

  it('GeoCoordinates are degrees and tenths of minutes in one number', () => {
    // 45460 is 45 degrees 46.0 minutes; -9300 is 9 degrees 30.0 minutes, west.
    expect(position.read(bytes('00b194 ffdbac'), 0, quiet)).toEqual({ latitude: 45 + 46 / 60, longitude: -9.5 });
    expect(position.read(bytes('7fffff 7fffff'), 0, quiet)).toBeNull();
    expect(position.read(bytes('7ffffe 000000'), 0, quiet)).toBeNull();
  });

  it.each([
    ['ISO 8859-1', '01 c94c45 2020', 'ÉLE'],
    ['ISO 8859-2', '02 a3f364bc ff', 'Łódź'],
    ['ISO 8859-5', '05 bcdee1dad2d0 00', 'Москва'],
    ['ISO 8859-7', '07 c1e8deedE1', 'Αθήνα'],
    ['ISO 8859-16', '10 aae0fe', 'Șàț'],
    ['KOI8-R', '50 edcfd3cbd7c1', 'Москва'],
  ])('text in %s', (_, hex, meaning) => {
    const value = bytes(hex);
    expect(text(value.length).read(value, 0, quiet)).toBe(meaning);
    const written = new Uint8Array(value.length);
    text(value.length).write(written, 0, meaning);
    expect(text(value.length).read(written, 0, quiet)).toBe(meaning);
  });

  it('an unknown code page is reported, and read as ISO 8859-1', () => {
    const notes: string[] = [];
    expect(text(3).read(bytes('c8 41e9'), 0, (note) => notes.push(note))).toBe('Aé');
    expect(notes).toEqual(['code page 200 is unknown, read as ISO 8859-1']);
  });

  it('dates are decimal digits', () => {
    expect(dateOfBirth.read(bytes('19850615'), 0, quiet)).toBe('1985-06-15');
    expect(dateOfBirth.read(bytes('00000000'), 0, quiet)).toBeNull();
    expect(dateOfBirth.read(bytes('aaaaaaaa'), 0, quiet)).toBeNull();
  });
});

/** 2026-03-02 in seconds. */
const MONDAY = '69a4d300';

describe('a card, byte by byte', () => {
  it('has its days round the end of the ring, where even a date may be split', () => {
    const ring = Buffer.alloc(44);
    ring.writeUInt16BE(20, 0);
    ring.writeUInt16BE(34, 2);
    // Monday at 20: a single word 0x0000. Tuesday at 34: its date begins in the last two bytes.
    bytes(`0000 000e ${MONDAY} 0001 0005 0000`).forEach((byte, i) => {
      ring[4 + 20 + i] = byte;
    });
    bytes('000e 0010 69a62480 0102 01af 0000 1978').forEach((byte, i) => {
      ring[4 + ((34 + i) % 40)] = byte;
    });
    for (const type of [0, 2]) {
      const card = parseTachograph(Buffer.concat([tlv('0005', 0, new Uint8Array(8)), tlv('0504', type, ring)]));
      const section = (card as CardFile)[type === 0 ? 'gen1' : 'gen2'];
      expect(card!.findings).toEqual([]);
      expect(section!.days).toEqual([
        {
          date: '2026-03-02',
          presenceCounter: 1,
          distanceKm: 5,
          changes: [{ minute: 0, activity: 'rest', slot: 'driver', inserted: true, status: 'single' }],
        },
        {
          date: '2026-03-03',
          presenceCounter: 102,
          distanceKm: 431,
          changes: [
            { minute: 0, activity: 'rest', slot: 'driver', inserted: true, status: 'single' },
            { minute: 376, activity: 'driving', slot: 'driver', inserted: true, status: 'single' },
          ],
        },
      ]);
    }
  });

  it('has its places after the newest one, oldest first', () => {
    const place = (time: string) => `${time} 02 1a 00 000102`;
    const file = bytes(`01 ${place('00000003')} ${place('00000004')} ${place('00000000')} ${place('00000002')}`);
    const card = parseTachograph(Buffer.concat([tlv('0005', 0, new Uint8Array(8)), tlv('0506', 0, file)]));
    const expected = { entryType: 2, country: 26, region: 0, odometerKm: 258 };
    expect((card as CardFile).gen1!.places).toEqual([2, 3, 4].map((time) => ({ time, ...expected })));
  });

  it.each([
    [1, 'driver-card'],
    [2, 'workshop-card'],
    [3, 'control-card'],
    [4, 'company-card'],
  ] as const)('of type %i is a %s', (type, kind: CardKind) => {
    const application = Uint8Array.of(type, ...new Uint8Array(9));
    expect(parseTachograph(tlv('0501', 0, application))?.kind).toBe(kind);
  });

  it('sorts words that are out of order, and reports it', () => {
    const words = ['1978', '0000', '0190'];
    const ring = bytes(`0000 0000 0000 0012 ${MONDAY} 0001 0005 ${words.join('')} 0000`);
    const card = parseTachograph(Buffer.concat([tlv('0005', 0, new Uint8Array(8)), tlv('0504', 0, ring)])) as CardFile;
    expect(card.gen1!.days[0]!.changes.map(({ minute }) => minute)).toEqual([0, 376, 400]);
    expect(card.findings.map(({ code, where }) => [code, where])).toEqual([['unsorted-activities', 'gen1/0504']]);
  });

  it('skips an unknown file, and reports it', () => {
    const card = encodeCard({ ic: '0102030405060708' });
    const file = parseTachograph(Buffer.concat([card, tlv('0777', 2, new Uint8Array(9)), card])) as CardFile;
    expect(file.findings.map(({ code }) => code)).toEqual(['duplicate', 'unknown-block']);
  });
});

describe('a unit, byte by byte', () => {
  const array = (type: string, size: number, ...records: string[]) =>
    `${type}${size.toString(16).padStart(4, '0')}${records.length.toString(16).padStart(4, '0')}${records.join('')}`;
  const head = `${array('06', 4, MONDAY)} ${array('05', 3, '000102')} ${array('0d', 131)} ${array('01', 2, '0000')}`;
  const plate = '01 4142 202020202020202020202020'.replaceAll(' ', '');

  it.each([
    ['a number alone', array('0b', 14, plate.slice(0, 28)), { nation: 0, number: 'AB' }],
    ['a number with its nation', array('24', 15, `1a${plate.slice(0, 28)}`), { nation: 26, number: 'AB' }],
    [
      'a number with its nation under the other type',
      array('0b', 15, `1a${plate.slice(0, 28)}`),
      { nation: 26, number: 'AB' },
    ],
  ])('its overview may hold %s', (_, vehicle, expected) => {
    const unit = parseTachograph(bytes(`7621 ${vehicle} ${array('08', 0)}`)) as VehicleUnitFile;
    expect(unit.overview?.vehicle).toEqual(expected);
    expect(unit.findings).toEqual([]);
  });

  it('reads the known fields of extended records and skips unknown record types', () => {
    const condition = `00000007 03`;
    const grown = `${array('09', 7, `${condition}ffff`, `${condition}eeee`)} ${array('77', 3, '010203')}`;
    const unit = parseTachograph(bytes(`7632 ${head} ${grown} ${array('08', 0)} 7632 ${head} ${array('08', 0)}`));
    const { days, findings } = unit as VehicleUnitFile;
    expect(days.map(({ specificConditions }) => specificConditions.length)).toEqual([2, 0]);
    expect(days[0]).toMatchObject({ date: '2026-03-02', odometerAtMidnightKm: 258, generation: 'G2v2' });
    expect(days[0]!.specificConditions[1]).toEqual({ time: 7, type: 3 });
    expect(findings.map(({ code, offset }) => [code, offset])).toEqual([['unknown-block', 0]]);
  });

  it('dates its days by any second of them', () => {
    const late = (Number.parseInt(MONDAY, 16) + 86_399).toString(16);
    const unit = parseTachograph(bytes(`7602 ${late} 000102 0000 0001 0000 00 0000 ${'00'.repeat(128)}`));
    expect((unit as VehicleUnitFile).days.map(({ date }) => date)).toEqual(['2026-03-02']);
  });

  it('may begin with its interface version, of any value', () => {
    for (const version of ['0101', '0202', '0909']) {
      const unit = parseTachograph(bytes(`7600 ${version} 7632 ${head} ${array('08', 0)}`)) as VehicleUnitFile;
      expect(unit).toMatchObject({ interfaceVersion: version, generations: ['G2v2'], findings: [] });
    }
  });
});

it.each(['', '00', '68656c6c6f', '76ff00', '00020', '504b0304'.repeat(40)])('%s is no download', (hex) => {
  expect(parseTachograph(bytes(hex))).toBeUndefined();
});
