import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCard } from '../../../src/tachograph/card/encode.ts';
import { analyse, buildTimeline, driverOf, parseTachograph, verifyTachograph } from '../../../src/tachograph/index.ts';
import type { CardFile, TachographFile, VehicleUnitFile } from '../../../src/tachograph/records.ts';
import { encodeVehicleUnit } from '../../../src/tachograph/vu/encode.ts';
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
  it('is read up to where it is cut, and holds no day that was not there', () => {
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

  it('never ends the rules', () => {
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

  it('never ends the reading or the verification, whatever its bytes are', () => {
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

describe('damage is told', () => {
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

  it('of a block of a unit that is cut: its day is kept apart', () => {
    const days = [...content.days, { ...content.days[0]!, date: '2030-01-01' }];
    const whole = encodeVehicleUnit({ ...content, days, faults: [], technical: undefined as never }, 'G1');
    const tail = Buffer.from(whole).indexOf(Buffer.from('7603', 'hex'), whole.length - 600);
    const file = parseTachograph(whole.subarray(0, tail - 140)) as VehicleUnitFile;
    expect(file.days.map(({ date }) => date)).toEqual(content.days.map(({ date }) => date));
    expect(file.incompleteDays.map(({ date }) => date)).toEqual(['2030-01-01']);
    expect(file.findings.map(({ code, where }) => [code, where])).toEqual([['truncated', '7602']]);
  });
});
