import { type CardEncoding, encodeCard, type SectionContent } from '../../src/server/tachograph/engine/card/encode.ts';
import type {
  Activity,
  ActivityChange,
  ActivityDay,
  CardInsertion,
  VuDay,
} from '../../src/server/tachograph/engine/records.ts';
import { encodeVehicleUnit, type UnitContent, type UnitSigner } from '../../src/server/tachograph/engine/vu/encode.ts';

export const ITALY = 0x1a;
export const secondsOf = (instant: string): number => Date.parse(instant) / 1000;

const none = {
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
};

/** `[['06:00', 'work'], ['06:30', 'driving']]`; rest before the first. */
export type Plan = readonly (readonly [clock: string, activity: Activity | 'unknown'])[];

const minuteOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function word(clock: string, activity: Plan[number][1]): ActivityChange {
  const minute = minuteOf(clock);
  if (activity === 'unknown') return { minute, activity: 'rest', slot: 'driver', inserted: false, status: 'unknown' };
  return { minute, activity, slot: 'driver', inserted: true, status: 'single' };
}

export function dayOf(date: string, plan: Plan, distanceKm = 300): ActivityDay {
  const words = plan.map(([clock, activity]) => word(clock, activity));
  const changes = words[0]?.minute === 0 ? words : [word('00:00', 'rest'), ...words];
  return { date, presenceCounter: 1, distanceKm, changes };
}

/** An ordinary day: 8 h 30 of driving in two parts, an hour of other work. */
export const ordinary: Plan = [
  ['05:00', 'work'],
  ['06:00', 'driving'],
  ['10:15', 'rest'],
  ['11:00', 'driving'],
  ['15:15', 'rest'],
];

/** 11 h 20 of driving: more than a driver may. */
export const longDay: Plan = [
  ['04:00', 'driving'],
  ['08:00', 'rest'],
  ['08:45', 'driving'],
  ['12:45', 'rest'],
  ['13:30', 'driving'],
  ['16:50', 'rest'],
];

export interface CardPlan {
  readonly number?: string;
  readonly nation?: number;
  readonly surname?: string;
  readonly firstNames?: string;
  readonly days: readonly ActivityDay[];
  readonly lastDownload?: number;
  readonly vehicles?: SectionContent['vehiclesUsed'];
  readonly places?: SectionContent['places'];
  readonly conditions?: SectionContent['specificConditions'];
  /** records of generation 2 version 2 */
  readonly borderCrossings?: SectionContent['borderCrossings'];
  readonly loadUnloads?: SectionContent['loadUnloads'];
  readonly encoding?: CardEncoding;
}

/** A driver card's download of generation 1, or of generation 2 version 2 where there are records of it. */
export function cardFile(plan: CardPlan): Uint8Array {
  const section: SectionContent = {
    ...none,
    identification: {
      nation: plan.nation ?? ITALY,
      cardNumber: plan.number ?? 'I000000012345600',
      authority: 'MIT',
      issued: secondsOf('2024-01-01T00:00:00Z'),
      validFrom: secondsOf('2024-01-01T00:00:00Z'),
      expiry: secondsOf('2029-01-01T00:00:00Z'),
      surname: plan.surname ?? 'Żółkiewski',
      firstNames: plan.firstNames ?? 'Łucja',
      birthDate: '1980-02-03',
      language: 'it',
    },
    drivingLicence: { authority: 'MIT', nation: ITALY, number: 'U1234567' },
    lastDownload: plan.lastDownload ?? null,
    days: plan.days,
    vehiclesUsed: plan.vehicles ?? [],
    places: plan.places ?? [],
    specificConditions: plan.conditions ?? [],
  };
  const { borderCrossings = [], loadUnloads = [] } = plan;
  if (borderCrossings.length + loadUnloads.length === 0) return encodeCard({ gen1: section }, plan.encoding);
  const vehiclesUsed = section.vehiclesUsed.map((each) => ({ vin: 'ZCFC1234567890123', ...each }));
  const gen2 = { ...section, vehiclesUsed, borderCrossings, loadUnloads };
  return encodeCard({ gen2 }, { ...plan.encoding, generation: 'G2v2' });
}

const gnss = (instant: string, latitude: number, longitude: number) => ({
  time: secondsOf(instant),
  accuracy: 10,
  position: { latitude, longitude },
  authentication: 1,
});

/** Crossing of a border and loading (1) or unloading (2), as generation 2 version 2 records them. */
export const crossing = (
  instant: string,
  countryLeft: number,
  countryEntered: number,
  at: readonly [number, number],
) => ({
  countryLeft,
  countryEntered,
  gnss: gnss(instant, ...at),
  odometerKm: 1_000,
});
export const transfer = (instant: string, operation: number, at: readonly [number, number]) => ({
  time: secondsOf(instant),
  operation,
  gnss: gnss(instant, ...at),
  odometerKm: 1_000,
});

export const use = (plate: string, from: string, to: string, odometer: readonly [number, number]) => ({
  vehicle: { nation: ITALY, number: plate },
  odometerBeginKm: odometer[0],
  odometerEndKm: odometer[1],
  dataBlockCounter: 1,
  firstUse: secondsOf(from),
  lastUse: secondsOf(to),
});

export interface UnitPlan {
  readonly plate: string;
  readonly now: string;
  readonly days?: readonly VuDay[];
  readonly events?: UnitContent['events'];
  readonly overspeeds?: UnitContent['overspeeds'];
  readonly vin?: string;
  readonly signer?: UnitSigner;
}

/** A vehicle unit's download of generation 1. */
export function unitFile({ plate, now, days = [], events = [], overspeeds = [], ...of }: UnitPlan): Uint8Array {
  const vehicle = { nation: ITALY, number: plate };
  return encodeVehicleUnit(
    {
      overview: {
        vin: of.vin ?? 'ZCFC1234567890123',
        vehicle,
        currentTime: secondsOf(now),
        driverSlot: 0,
        coDriverSlot: 0,
        downloadableFrom: secondsOf(now) - 86_400,
        downloadableTo: secondsOf(now),
        companyLocks: [],
        controls: [],
        previousDownload: { time: null, card: null, company: '' },
      },
      days,
      faults: [],
      events,
      overspeeds,
      timeAdjustments: [],
      speeds: [],
      overspeedControl: { last: null, first: null, count: 0 },
    },
    'G1',
    of.signer,
  );
}

export function unitDay(date: string, insertions: readonly CardInsertion[], plan: Plan): VuDay {
  return {
    date,
    generation: 'G1',
    odometerAtMidnightKm: 1_000,
    insertions,
    changes: dayOf(date, plan).changes,
    places: [],
    gnss: [],
    specificConditions: [],
    borderCrossings: [],
    loadUnloads: [],
  };
}

export const insertion = (number: string, from: string, to: string): CardInsertion => ({
  surname: 'Rossi',
  firstNames: 'Mario',
  card: { type: 1, nation: ITALY, number },
  slot: 0,
  expiry: secondsOf('2029-01-01T00:00:00Z'),
  inserted: secondsOf(from),
  odometerInsertedKm: 1_000,
  withdrawn: secondsOf(to),
  odometerWithdrawnKm: 1_300,
  manualEntries: false,
  previousVehicle: { nation: 0, number: '' },
  previousWithdrawn: null,
});

/** Days one after another from `first` on. */
export const datesFrom = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => new Date(Date.parse(first) + i * 86_400_000).toISOString().slice(0, 10));
