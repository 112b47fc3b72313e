import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCard } from '../../../src/server/tachograph/engine/card/encode.ts';
import {
  analyse,
  buildTimeline,
  driverOf,
  parseTachograph,
  verifyTachograph,
} from '../../../src/server/tachograph/engine/index.ts';
import type { CardFile, TachographFile, VehicleUnitFile } from '../../../src/server/tachograph/engine/records.ts';
import { encodeVehicleUnit } from '../../../src/server/tachograph/engine/vu/encode.ts';
import * as generated from './scenario.ts';
import { unit } from './unit-scenario.ts';

/** Days as text, each with where it stands. */
function daysOf(file: TachographFile | undefined): string[] {
  if (file === undefined) return [];
  if (file.kind === 'vehicle-unit') return file.days.map((day) => JSON.stringify(day));
  const sections = { gen1: file.gen1?.days ?? [], gen2: file.gen2?.days ?? [] };
  return Object.entries(sections).flatMap(([name, days]) => days.map((day) => name + JSON.stringify(day)));
}

const files: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .tuple(generated.gen1, generated.gen2('G2v2'), fc.nat(13_775))
    .map(([gen1, gen2, activityStart]) => encodeCard({ gen1, gen2 }, { generation: 'G2v2', activityStart })),
  unit('G1').map((content) => encodeVehicleUnit(content, 'G1')),
  unit('G2v2').map((content) => encodeVehicleUnit(content, 'G2v2')),
);

describe('a damaged file', () => {
  it('is read up to the truncation and contains no additional days', () => {
    fc.assert(
      fc.property(files, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20 }), (bytes, cuts) => {
        const whole = new Set(daysOf(parseTachograph(bytes)));
        let before = 0;
        for (const length of cuts.map((part) => Math.floor(part * bytes.length)).toSorted((a, b) => a - b)) {
          const days = daysOf(parseTachograph(bytes.subarray(0, length)));
          for (const day of days) expect(whole).toContain(day);
          expect(days.length).toBeGreaterThanOrEqual(before);
          before = days.length;
        }
      }),
      { numRuns: 20 },
    );
  });

  it('loses little to one wrong byte', () => {
    fc.assert(
      fc.property(files, fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))), (bytes, changes) => {
        const whole = daysOf(parseTachograph(bytes));
        for (const [where, difference] of changes) {
          const changed = Uint8Array.from(bytes);
          changed[where % bytes.length]! ^= difference;
          const read = new Set(daysOf(parseTachograph(changed)));
          expect(whole.filter((day) => !read.has(day)).length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('never causes an exception in the rules', () => {
    const cards = fc.tuple(generated.gen1, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }));
    fc.assert(
      fc.property(cards, ([gen1, changes]) => {
        const identification = { ...gen1.identification!, cardNumber: 'I100000000000000' };
        const bytes = Uint8Array.from(encodeCard({ gen1: { ...gen1, identification } }));
        for (const [where, value] of changes) bytes[where % bytes.length] = value;
        const file = parseTachograph(bytes);
        const driver = file === undefined || file.kind === 'vehicle-unit' ? undefined : driverOf(file);
        if (file === undefined || driver === undefined) return;
        const timeline = buildTimeline([{ fileId: 'file', file }], driver);
        if (timeline === undefined) return;
        const { findings } = analyse(timeline, { driver });
        for (const { from, to, deltaMinutes } of findings) {
          expect(to).toBeGreaterThan(from);
          expect(deltaMinutes).toBeGreaterThan(0);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never causes an exception in reading or verification, whatever its bytes are', () => {
    const noise = fc.tuple(
      fc.constantFrom(
        '',
        '0002000019',
        '7601',
        '7602',
        '7603',
        '7605',
        '7622',
        '7631',
        '7632',
        '7635',
        '7606',
        '050402',
      ),
      fc.uint8Array({ maxLength: 3000 }),
    );
    fc.assert(
      fc.property(noise, ([start, rest]) => {
        const bytes = Buffer.concat([Buffer.from(start, 'hex'), rest]);
        const file = parseTachograph(bytes);
        if (file !== undefined) verifyTachograph(bytes, []);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a damaged file of about 200 kB', () => {
  // A card of full size within a unit's blocks, and blocks of days over and over: as large as downloads become.
  const [gen1, gen2, unitG1, unitG2] = fc.sample(
    fc.tuple(generated.gen1, generated.gen2('G2v2'), unit('G1'), unit('G2v2')),
    { seed: 200, numRuns: 1 },
  )[0]!;
  const repeated = (content: typeof unitG1, generation: 'G1' | 'G2v2', card?: Uint8Array): Uint8Array => {
    const encoded = (times: number): Uint8Array => {
      const days = Array.from({ length: times }, (_, index) => ({
        ...content.days[index % content.days.length]!,
        date: new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10),
      }));
      return encodeVehicleUnit({ ...content, days, ...(card && { card }) }, generation);
    };
    const [none, some] = [encoded(0).length, encoded(20).length];
    return encoded(Math.round((200_000 - none) / ((some - none) / 20)));
  };
  const card = encodeCard({ gen1, gen2 }, { generation: 'G2v2', activityStart: 13_700 });
  const large: readonly (readonly [string, Uint8Array])[] = [
    ['a unit of generation 1', repeated(unitG1, 'G1')],
    ['a unit of generation 2', repeated(unitG2, 'G2v2')],
    ['a card that a unit hands out', repeated(unitG2, 'G2v2', card)],
  ];

  it.each(large)('cut, it is read up to there: %s', (_, bytes) => {
    expect(bytes.length).toBeGreaterThan(180_000);
    const whole = daysOf(parseTachograph(bytes));
    expect(whole.length).toBeGreaterThan(20);
    const known = new Set(whole);
    let before = 0;
    for (let part = 0; part <= 40; part++) {
      const days = daysOf(parseTachograph(bytes.subarray(0, Math.floor((bytes.length * part) / 40))));
      expect(days.filter((day) => !known.has(day))).toEqual([]);
      expect(days.length).toBeGreaterThanOrEqual(before);
      before = days.length;
    }
    expect(before).toBe(whole.length);
  });

  it.each(large)('changed, it loses little: %s', (_, bytes) => {
    const whole = daysOf(parseTachograph(bytes));
    const changes = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 })), { maxLength: 3 });
    fc.assert(
      fc.property(changes, (changes) => {
        const changed = Uint8Array.from(bytes);
        for (const [where, difference] of changes) changed[where]! ^= difference;
        const read = new Set(daysOf(parseTachograph(changed)));
        expect(whole.filter((day) => !read.has(day)).length).toBeLessThanOrEqual(2 * changes.length);
      }),
      { numRuns: 20, seed: 200 },
    );
  });
});

describe('damage is reported', () => {
  const [gen1, content] = fc.sample(fc.tuple(generated.gen1, unit('G1')), { seed: 7, numRuns: 1 })[0]!;
  const sound = encodeCard({ ic: '0102030405060708', gen1 });

  it('of a file that is cut', () => {
    const cut = parseTachograph(sound.subarray(0, sound.length - 7)) as CardFile;
    expect(cut.findings.map(({ code, where }) => [code, where])).toEqual([['truncated', 'gen1/0522']]);
    expect(cut.gen1!.days).toEqual(gen1.days);
  });

  it('of a length that is wrong: the next file is found', () => {
    const changed = Uint8Array.from(sound);
    const at = Buffer.from(sound).indexOf(Buffer.from('05040035d4', 'hex'));
    changed[at + 3] = 0xff;
    const card = parseTachograph(changed) as CardFile;
    expect(card.findings.map(({ code, where }) => [code, where])).toEqual([['wrong-size', 'gen1/0504']]);
    expect(card.gen1!.days).toEqual(gen1.days);
    expect(card.gen1!.vehiclesUsed).toEqual(gen1.vehiclesUsed);
  });

  it('of a pointer that is wrong: the days are found from the other end', () => {
    const at = Buffer.from(sound).indexOf(Buffer.from('05040035d4', 'hex')) + 5;
    for (const pointer of [0, 2]) {
      const changed = Uint8Array.from(sound);
      changed[at + pointer] = 0xf0;
      const card = parseTachograph(changed) as CardFile;
      expect(card.findings.map(({ code }) => code)).toContain('bad-pointer');
      expect(card.gen1!.days).toEqual(gen1.days);
    }
  });

  it('of a ring that goes round and is cut: days are found that neither pointer leads to', () => {
    const days = [1, 2, 3, 4, 5].map((day) => ({ ...gen1.days[0]!, date: `2024-05-0${day}` }));
    const length = 12 + 2 * days[0]!.changes.length;
    // The first day lies across the end of the ring, the newest behind the cut.
    const wrapped = encodeCard({ gen1: { ...gen1, days } }, { activityStart: 13_776 - 10 });
    const ring = Buffer.from(wrapped).indexOf(Buffer.from('05040035d4', 'hex')) + 9;
    for (const [records, dates] of [
      [3, ['2024-05-02', '2024-05-03']],
      [2, ['2024-05-02']],
    ] as const) {
      const card = parseTachograph(wrapped.subarray(0, ring + records * length - 10 + 1)) as CardFile;
      expect(card.gen1!.days).toEqual(days.filter(({ date }) => (dates as readonly string[]).includes(date)));
    }
  });

  it('of one length in the middle: the days around it stay', () => {
    const days = [1, 2, 3, 4, 5].map((day) => ({ ...gen1.days[0]!, date: `2024-05-0${day}` }));
    const length = 12 + 2 * days[0]!.changes.length;
    const bytes = Uint8Array.from(encodeCard({ gen1: { ...gen1, days } }));
    const ring = Buffer.from(bytes).indexOf(Buffer.from('05040035d4', 'hex')) + 9;
    // The previous length in the fourth day leads to the first, as if no day were between.
    bytes[ring + 3 * length] = (3 * length) >> 8;
    bytes[ring + 3 * length + 1] = (3 * length) & 0xff;
    expect((parseTachograph(bytes) as CardFile).gen1!.days).toEqual(days);
  });

  it('of a block of a unit that is cut: its day is kept apart', () => {
    const days = [...content.days, { ...content.days[0]!, date: '2030-01-01' }];
    const whole = encodeVehicleUnit({ ...content, days, faults: [], technical: undefined as never }, 'G1');
    const tail = Buffer.from(whole).indexOf(Buffer.from('7603', 'hex'), whole.length - 600);
    const file = parseTachograph(whole.subarray(0, tail - 140)) as VehicleUnitFile;
    expect(file.days.map(({ date }) => date)).toEqual(content.days.map(({ date }) => date));
    expect(file.incompleteDays.map(({ date }) => date)).toEqual(['2030-01-01']);
    expect(file.findings.map(({ code, where }) => [code, where])).toEqual([['truncated', '7602']]);
  });

  it('of a date of another time: its day is left out, and the others stay', () => {
    const days = [1, 2, 3, 4, 5].map((day) => ({ ...gen1.days[0]!, date: `2024-05-0${day}` }));
    for (const date of ['1970-01-02', '2106-02-06']) {
      const damaged = days.map((day, index) => (index === 1 ? { ...day, date } : day));
      const card = parseTachograph(encodeCard({ gen1: { ...gen1, days: damaged } })) as CardFile;
      expect(card.findings.map(({ code, where }) => [code, where])).toEqual([['bad-date', 'gen1/0504']]);
      expect(card.gen1!.days).toEqual(days.filter((_, index) => index !== 1));
    }
  });
});
