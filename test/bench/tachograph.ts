import { systemClock } from '../../src/platform/clock.ts';
import { encodeCard, type SectionContent } from '../../src/server/tachograph/engine/card/encode.ts';
import {
  type ActivityChange,
  type ActivityDay,
  type AnalysisOptions,
  analyse,
  buildTimeline,
  driverOf,
  parseTachograph,
  placesOf,
} from '../../src/server/tachograph/engine/index.ts';
import { encodeVehicleUnit } from '../../src/server/tachograph/engine/vu/encode.ts';
import { type Figure, median } from './figure.ts';

const FILES = 1000;
const DAYS = 365;
const START = Date.parse('2025-01-06T00:00:00Z');
const LARGE = 200_000;

/**
 * A card a driver with a year of activities, of both applications where they are of the second generation: read, joined
 * to a timeline, and judged by every rule, one after the other in one process. Then the slowest of files of 200 kB.
 */
export async function run(): Promise<Figure[]> {
  const before = memory();
  const took: number[] = [];
  let findings = 0;
  let middle = before;
  const from = systemClock.monotonic();
  const cpuBefore = process.cpuUsage();
  let spent = 0;
  for (let index = 0; index < FILES; index++) {
    const bytes = cardOf(index);
    const began = systemClock.monotonic();
    findings += analysed(bytes);
    const length = systemClock.monotonic() - began;
    took.push(length);
    spent += length;
    if (index === FILES / 2) middle = memory();
  }
  const all = systemClock.monotonic() - from;
  const cpu = process.cpuUsage(cpuBefore);
  const rate = Math.round((FILES / spent) * 1000);
  const large = largeFiles().map((bytes) => timed(bytes));
  return [
    {
      name: 'tachograph: 1,000 card files of a year, read and judged',
      value: `${(spent / 1000).toFixed(1)} s, ${rate} files/s`,
      measurements: [{ key: 'driverYears', value: spent / 1000, unit: 's', wanted: { atMost: 30 } }],
    },
    {
      name: 'tachograph: with the making of the files',
      value: `${(all / 1000).toFixed(1)} s, ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of CPU`,
    },
    {
      name: 'tachograph: a file, median and slowest',
      value: `${median(took).toFixed(1)}, ${Math.max(...took).toFixed(1)} ms`,
      measurements: [
        { key: 'fileMedian', value: median(took), unit: 'ms' },
        { key: 'fileSlowest', value: Math.max(...took), unit: 'ms' },
      ],
    },
    { name: 'tachograph: findings', value: String(findings) },
    {
      name: 'tachograph: memory at the start, in the middle, at the end',
      value: `${before}, ${middle}, ${memory()} MB`,
    },
    { name: 'tachograph: the slowest file of 200 kB, read and judged', value: `${Math.max(...large).toFixed(1)} ms` },
  ];
}

/** After a collection, so that only what is kept counts. */
function memory(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return Math.round((heapUsed + arrayBuffers) / 1_048_576);
}

function timed(bytes: Uint8Array): number {
  const began = systemClock.monotonic();
  analysed(bytes);
  return systemClock.monotonic() - began;
}

function analysed(bytes: Uint8Array): number {
  const file = parseTachograph(bytes);
  if (file === undefined) return 0;
  const driver = file.kind === 'vehicle-unit' ? { nation: 26, number: 'I1000000000000' } : driverOf(file);
  if (driver === undefined) throw new Error('a card of nobody');
  const sources = [{ fileId: 'file', file }];
  const timeline = buildTimeline(sources, driver);
  if (timeline === undefined) return 0;
  const options: AnalysisOptions = { driver, places: placesOf(sources, driver) };
  return analyse(timeline, options).findings.length;
}

const word = (minute: number, activity: ActivityChange['activity']): ActivityChange => ({
  minute,
  activity,
  slot: 'driver',
  inserted: true,
  status: 'single',
});

/** Five long days a week, no two cards alike; now and then one too long. */
function dayOf(seed: number, day: number): ActivityDay {
  const date = new Date(START + day * 86_400_000).toISOString().slice(0, 10);
  const common = { date, presenceCounter: day % 9999, distanceKm: 400 };
  if (day % 7 > 4) return { ...common, changes: [word(0, 'rest')] };
  const begin = 300 + ((seed * 7 + day * 13) % 90);
  const first = 240 + ((seed + day * 3) % 40);
  const at = [begin, begin + 15, begin + 15 + first, begin + 60 + first, begin + 270 + first, begin + 285 + first];
  return {
    ...common,
    changes: [
      word(0, 'rest'),
      word(at[0]!, 'work'),
      word(at[1]!, 'driving'),
      word(at[2]!, 'rest'),
      word(at[3]!, 'driving'),
      word(at[4]!, 'work'),
      word(at[5]! + ((seed + day) % 100), 'rest'),
    ],
  };
}

function cardOf(index: number): Uint8Array {
  const content = sectionOf(index);
  return index % 2 === 0
    ? encodeCard({ gen1: content })
    : encodeCard({ gen1: content, gen2: content }, { generation: 'G2v2', activityStart: (index * 997) % 13_000 });
}

function sectionOf(index: number): SectionContent {
  return {
    events: [],
    faults: [],
    vehiclesUsed: [],
    places: [],
    specificConditions: [],
    vehicleUnitsUsed: [],
    gnss: [],
    placeAuthentications: [],
    gnssAuthentications: [],
    borderCrossings: [],
    loadUnloads: [],
    loadTypes: [],
    identification: {
      nation: 26,
      cardNumber: `I${String(100_000_000_000_000 + index)}`,
      authority: '',
      issued: null,
      validFrom: null,
      expiry: null,
      surname: 'A',
      firstNames: 'B',
      birthDate: null,
      language: 'it',
    },
    days: Array.from({ length: DAYS }, (_, day) => dayOf(index, day)),
  };
}

/** A unit's days up to 200 kB; a card filled up with repeated files; the same with every tenth byte wrong; noise. */
function largeFiles(): Uint8Array[] {
  const card = cardOf(1);
  const cards = Buffer.concat(Array.from({ length: Math.ceil(LARGE / card.length) }, () => card)).subarray(0, LARGE);
  const unit = unitOf();
  const units = Buffer.concat(Array.from({ length: Math.ceil(LARGE / unit.length) }, () => unit)).subarray(0, LARGE);
  const damaged = [cards, units].map((bytes) => bytes.map((byte, at) => (at % 10 === 9 ? byte ^ at : byte)));
  const noise = new Uint8Array(LARGE).map((_, at) => (at * at * 2_654_435_761) >>> 13);
  return [cards, units, ...damaged, noise, new Uint8Array(LARGE).fill(0x76)];
}

function unitOf(): Uint8Array {
  const card = { type: 1, nation: 26, number: 'I100000000000000', generation: 2 };
  const days = Array.from({ length: 90 }, (_, index) => {
    const { date, changes } = dayOf(3, index);
    const midnight = Date.parse(`${date}T00:00:00Z`) / 1000;
    const stay = {
      surname: 'A',
      firstNames: 'B',
      card,
      expiry: null,
      inserted: midnight + 3600,
      odometerInsertedKm: 1,
      slot: 0,
      withdrawn: midnight + 80_000,
      odometerWithdrawnKm: 2,
      previousWithdrawn: null,
      previousVehicle: { nation: 26, number: 'AB123CD' },
      manualEntries: false,
    };
    return {
      date,
      generation: 'G1' as const,
      odometerAtMidnightKm: index,
      insertions: [stay],
      changes,
      places: [],
      gnss: [],
      specificConditions: [],
      borderCrossings: [],
      loadUnloads: [],
    };
  });
  return encodeVehicleUnit({ days, faults: [], events: [], overspeeds: [], timeAdjustments: [], speeds: [] }, 'G1');
}
