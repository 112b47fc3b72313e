import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCard, type SectionContent } from '../../../src/server/tachograph/engine/card/encode.ts';
import { parseTachograph } from '../../../src/server/tachograph/engine/index.ts';
import type { CardFile, CardSection, VehicleUnitFile } from '../../../src/server/tachograph/engine/records.ts';
import { encodeVehicleUnit } from '../../../src/server/tachograph/engine/vu/encode.ts';
import * as generated from './scenario.ts';
import { unit } from './unit-scenario.ts';

const runs = { numRuns: 40 };

const contentOf = ({ generation: _, present: __, ...content }: CardSection): SectionContent => content;

/** Where rings begin: near their end too, so that records and words lie across it. */
const starts = {
  activityStart: fc.oneof(fc.integer({ min: 0, max: 13_775 }), fc.integer({ min: 13_700, max: 13_775 })),
  slotStart: fc.integer({ min: 0, max: 111 }),
};

describe('encoded files are decoded to the same data', () => {
  it('from a card of generation 1', () => {
    fc.assert(
      fc.property(generated.gen1, generated.chip, fc.record(starts), (gen1, chip, how) => {
        const card = parseTachograph(encodeCard({ chip, ic: '0102030405060708', gen1 }, how)) as CardFile;
        expect(card).toMatchObject({ kind: 'driver-card', generations: ['G1'], chip, ic: '0102030405060708' });
        expect(card.findings).toEqual([]);
        expect(contentOf(card.gen1!)).toEqual(gen1);
      }),
      runs,
    );
  });

  it.each(['G2v1', 'G2v2'] as const)('from a card of generation %s, with both applications', (generation) => {
    fc.assert(
      fc.property(generated.gen1, generated.gen2(generation), fc.record(starts), (gen1, gen2, how) => {
        const card = parseTachograph(encodeCard({ gen1, gen2 }, { generation, ...how })) as CardFile;
        expect(card.generations).toEqual(['G1', generation]);
        expect(card.findings).toEqual([]);
        expect(contentOf(card.gen1!)).toEqual(gen1);
        expect(contentOf(card.gen2!)).toEqual(gen2);
      }),
      runs,
    );
  });

  it.each(['G1', 'G2v1', 'G2v2'] as const)('from a unit of generation %s', (generation) => {
    fc.assert(
      fc.property(unit(generation), (content) => {
        const { findings, incompleteDays, ...read } = parseTachograph(
          encodeVehicleUnit(content, generation),
        ) as VehicleUnitFile;
        expect(findings).toEqual([]);
        expect(incompleteDays).toEqual([]);
        expect(read).toEqual({ kind: 'vehicle-unit', generations: [generation], ...content });
      }),
      runs,
    );
  });

  it('of a card inside the download of a unit are verified with the blocks of the unit and alone', () => {
    fc.assert(
      fc.property(generated.gen1, unit('G2v2'), (gen1, content) => {
        const download = encodeCard({ gen1 });
        const file = parseTachograph(encodeVehicleUnit({ ...content, card: download }, 'G2v2')) as VehicleUnitFile;
        expect(contentOf(file.card!.gen1!)).toEqual(gen1);
        const alone = parseTachograph(Buffer.concat([Uint8Array.of(0x76, 0x06), download])) as CardFile;
        expect(alone.kind).toBe('driver-card');
        expect(contentOf(alone.gen1!)).toEqual(gen1);
      }),
      { numRuns: 10 },
    );
  });

  it('from rings of any size, wherever they begin', () => {
    fc.assert(
      fc.property(generated.gen1, fc.nat(4000), fc.integer({ min: 3000, max: 4001 }), (gen1, start, size) => {
        const how = { activityBytes: size, activityStart: start % size };
        const application = { ...gen1.application!, activityBytes: size };
        let bytes: Uint8Array;
        try {
          bytes = encodeCard({ gen1: { ...gen1, application } }, how);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        const card = parseTachograph(bytes) as CardFile;
        expect(card.findings).toEqual([]);
        expect(card.gen1!.days).toEqual(gen1.days);
      }),
      runs,
    );
  });
});
