import type {
  CardFile,
  CardKind,
  CardSection,
  Finding,
  Generation,
  Seconds,
  SignatureResult,
  SignatureStatus,
  TachographFile,
  VehicleUnitFile,
} from '../records.ts';
import type { CardSignatures, UnitSignatures } from '../signature/verify.ts';
import { type DriverIdentity, driverOf } from '../timeline/build.ts';

/** The use of a vehicle by a card. Plates are upper case, without spaces and hyphens. */
export interface VehicleUse {
  readonly plate: string;
  readonly driver: DriverIdentity;
  readonly slot: 'driver' | 'co-driver' | null;
  readonly from: Seconds;
  readonly to: Seconds | null;
  readonly odometerFromKm: number | null;
  readonly odometerToKm: number | null;
  readonly source: 'card' | 'vu';
}

/** Events that a unit recorded about driving or tampering. */
export interface UnitEvent {
  readonly kind:
    | 'overspeed'
    | 'driving-without-card'
    | 'security'
    | 'power-interruption'
    | 'motion-data'
    | 'card-conflict';
  readonly from: Seconds;
  readonly to: Seconds | null;
  /** highest speed of an overspeed, km/h */
  readonly value: number | null;
}

/** The facts that are stored with the bytes of a download. */
export interface FileFacts {
  readonly kind: CardKind | 'vehicle-unit';
  readonly generations: readonly Generation[];
  readonly card: {
    readonly nation: number;
    readonly number: string;
    readonly holder: string;
    readonly expiry: Seconds | null;
  } | null;
  readonly unit: { readonly plate: string; readonly vin: string; readonly nextCalibration: Seconds | null } | null;
  /** UTC days `yyyy-mm-dd` of the first and the last day in it, and the number of days with data. */
  readonly period: { readonly from: string; readonly to: string; readonly days: number } | null;
  /** As far as the file contains it: of a card at least the time of its last change. */
  readonly downloadedAt: Seconds | null;
  readonly verdict: SignatureStatus;
  readonly signatures: readonly SignatureResult[];
  readonly findings: readonly Finding[];
  /** It is cut or damaged, or a card without activities: no complete download. */
  readonly isIncomplete: boolean;
  /** Drivers with data in the file. */
  readonly drivers: readonly DriverIdentity[];
  readonly stays: readonly VehicleUse[];
  readonly events: readonly UnitEvent[];
}

export const normalisePlate = (plate: string): string => plate.toUpperCase().replace(/[\s\p{Cc}-]/gu, '');

/** @param receivedAt a download cannot be later; clocks of units may be an hour ahead */
export function factsOf(
  file: TachographFile,
  results: CardSignatures | UnitSignatures,
  receivedAt = Number.POSITIVE_INFINITY,
): FileFacts {
  const signatures = 'blocks' in results ? signaturesOfUnit(results) : signaturesOfCard(results);
  const isIncomplete = file.findings.some(({ code }) => CUT.has(code)) || lacksParts(file);
  const latest = receivedAt + CLOCK_AHEAD;
  const findings = [...file.findings, ...fromTheFuture(file, latest)];
  const shared = { signatures, verdict: worst(signatures), findings, isIncomplete };
  return file.kind === 'vehicle-unit'
    ? { ...shared, ...unitFacts(file, latest) }
    : { ...shared, ...cardFacts(file, latest) };
}

const CLOCK_AHEAD = 3_600;

const earlierOf = (at: Seconds | null | undefined, latest: Seconds): Seconds | null =>
  at === null || at === undefined ? null : Math.min(at, latest);

/** The time of a download that a file states, where it is later than the file. */
function fromTheFuture(file: TachographFile, latest: Seconds): Finding[] {
  const stated =
    file.kind === 'vehicle-unit'
      ? [{ where: 'overview', at: file.overview?.currentTime }]
      : (['gen1', 'gen2'] as const).map((name) => ({ where: `${name}/050E`, at: file[name]?.lastDownload }));
  return stated.flatMap(({ where, at }) =>
    at !== undefined && at !== null && at > latest
      ? [{ code: 'future-time' as const, where, detail: 'the time of the download is later than its upload' }]
      : [],
  );
}

const CUT: ReadonlySet<Finding['code']> = new Set(['truncated', 'wrong-size']);

function lacksParts(file: TachographFile): boolean {
  if (file.kind === 'vehicle-unit') return file.overview === undefined || file.incompleteDays.length > 0;
  if (file.findings.some(({ code }) => code === 'damaged')) return true;
  const sections = sectionsOf(file);
  return (
    file.kind === 'driver-card' && (sections.length === 0 || sections.some(({ present }) => !present.includes('0504')))
  );
}

const signaturesOfCard = ({ gen1 = [], gen2 = [] }: CardSignatures): SignatureResult[] => [
  ...gen1.map((each) => ({ ...each, file: `gen1/${each.file}` })),
  ...gen2.map((each) => ({ ...each, file: `gen2/${each.file}` })),
];

const signaturesOfUnit = ({ blocks, card }: UnitSignatures): SignatureResult[] => [
  ...blocks,
  ...(card === undefined ? [] : signaturesOfCard(card)),
];

const RANK: readonly SignatureStatus[] = ['valid', 'unsigned', 'unverifiable', 'invalid'];

/** The worst status of the parts; a file without signatures is unsigned. */
function worst(signatures: readonly SignatureResult[]): SignatureStatus {
  if (signatures.length === 0) return 'unsigned';
  return RANK[Math.max(...signatures.map(({ verdict }) => RANK.indexOf(verdict)))]!;
}

type OwnFacts = Omit<FileFacts, 'signatures' | 'verdict' | 'findings' | 'isIncomplete'>;

export const sectionsOf = (card: CardFile): CardSection[] =>
  [card.gen2, card.gen1].filter((section) => section !== undefined);

function cardFacts(card: CardFile, latest: Seconds): OwnFacts {
  const identification = card.gen2?.identification ?? card.gen1?.identification;
  const driver = driverOf(card);
  const dates = sectionsOf(card).flatMap(({ days }) => days.map(({ date }) => date));
  return {
    kind: card.kind,
    generations: card.generations,
    card:
      identification === undefined
        ? null
        : {
            nation: identification.nation,
            number: identification.cardNumber,
            holder: `${identification.surname} ${identification.firstNames}`.trim(),
            expiry: identification.expiry,
          },
    unit: null,
    period: periodOf(dates),
    downloadedAt: downloadOf(card, latest),
    drivers: driver === undefined ? [] : [driver],
    stays: driver === undefined ? [] : vehicleUsesOfCard(card, driver),
    events: [],
  };
}

/**
 * A card does not contain the time of its download. A unit writes it before it sends the card, so that it is later than
 * the last change; a reader does not, and then the last change is the latest known time. It has no signature: a time in
 * the future is not believed.
 */
function downloadOf(card: CardFile, latest: Seconds): Seconds | null {
  const known = sectionsOf(card).flatMap(({ days, lastDownload: stated }) => {
    const lastDownload = (stated ?? 0) > latest ? null : stated;
    const day = days.at(-1);
    if (day === undefined) return lastDownload ?? [];
    const word = Date.parse(`${day.date}T00:00:00Z`) / 1000 + (day.changes.at(-1)?.minute ?? 0) * 60;
    return Math.max(word, lastDownload ?? 0);
  });
  return known.length === 0 ? null : Math.min(latest, Math.max(...known));
}

function vehicleUsesOfCard(card: CardFile, driver: DriverIdentity): VehicleUse[] {
  const stays = new Map<string, VehicleUse>();
  for (const { vehiclesUsed } of sectionsOf(card)) {
    for (const use of vehiclesUsed) {
      const plate = normalisePlate(use.vehicle.number);
      const key = `${plate}/${use.firstUse}`;
      if (plate === '' || stays.has(key)) continue;
      stays.set(key, {
        plate,
        driver,
        slot: null,
        from: use.firstUse,
        to: use.lastUse,
        source: 'card',
        odometerFromKm: use.odometerBeginKm,
        odometerToKm: use.odometerEndKm,
      });
    }
  }
  return [...stays.values()].sort((a, b) => a.from - b.from);
}

function unitFacts(unit: VehicleUnitFile, latest: Seconds): OwnFacts {
  const calibrations = unit.technical?.calibrations ?? [];
  const vehicle = unit.overview?.vehicle.number ?? calibrations.at(-1)?.vehicle.number ?? '';
  const plate = normalisePlate(vehicle);
  const own = unit.card === undefined ? undefined : cardFacts(unit.card, latest);
  const stays = vehicleUsesOfUnit(unit, plate);
  const drivers = new Map([...(own?.drivers ?? []), ...stays.map(({ driver }) => driver)].map((d) => [keyOf(d), d]));
  const due = calibrations.map(({ nextCalibration }) => nextCalibration ?? 0);
  return {
    kind: 'vehicle-unit',
    generations: unit.generations,
    card: own?.card ?? null,
    unit: {
      plate,
      vin: unit.overview?.vin ?? '',
      nextCalibration: due.length === 0 ? null : Math.max(...due) || null,
    },
    period: periodOf([...unit.days, ...unit.incompleteDays].map(({ date }) => date)),
    downloadedAt: earlierOf(unit.overview?.currentTime, latest),
    drivers: [...drivers.values()],
    stays: [...stays, ...(own?.stays ?? [])],
    events: eventsOf(unit),
  };
}

const keyOf = ({ nation, number }: DriverIdentity): string => `${nation}/${number}`;

function vehicleUsesOfUnit(unit: VehicleUnitFile, plate: string): VehicleUse[] {
  if (plate === '') return [];
  return [...unit.days, ...unit.incompleteDays].flatMap(({ insertions }) =>
    insertions.flatMap((stay): VehicleUse[] => {
      // Driver cards only: the list also contains workshop and control cards.
      if (stay.card === null || stay.card.type !== 1 || stay.card.number === '') return [];
      return [
        {
          plate,
          from: stay.inserted,
          to: stay.withdrawn,
          source: 'vu',
          driver: { nation: stay.card.nation, number: stay.card.number.slice(0, 14) },
          slot: stay.slot === 0 ? 'driver' : 'co-driver',
          odometerFromKm: stay.odometerInsertedKm,
          odometerToKm: stay.odometerWithdrawnKm,
        },
      ];
    }),
  );
}

/** EventFaultType (Annex IC, appendix 1, 2.70). */
function kindOf(type: number): UnitEvent['kind'] | undefined {
  if (type >= 0x10 && type <= 0x2f) return 'security';
  const named = { 2: 'card-conflict', 4: 'driving-without-card', 8: 'power-interruption', 9: 'motion-data' } as const;
  return named[type as keyof typeof named];
}

function eventsOf(unit: VehicleUnitFile): UnitEvent[] {
  const events = unit.events.flatMap(({ type, begin, end }): UnitEvent[] => {
    const kind = kindOf(type);
    return kind === undefined || begin === null ? [] : [{ kind, from: begin, to: end, value: null }];
  });
  const overspeeds = unit.overspeeds.flatMap(({ begin, end, maximumKmh }): UnitEvent[] =>
    begin === null ? [] : [{ kind: 'overspeed', from: begin, to: end, value: maximumKmh }],
  );
  // a unit keeps an event for several purposes
  const once = new Map(
    [...events, ...overspeeds].map((each) => [`${each.kind}/${each.from}/${each.to}/${each.value}`, each]),
  );
  return [...once.values()].sort((a, b) => a.from - b.from);
}

function periodOf(dates: readonly string[]): FileFacts['period'] {
  const sorted = [...new Set(dates)].sort();
  const [from] = sorted;
  const to = sorted.at(-1);
  return from === undefined || to === undefined ? null : { from, to, days: sorted.length };
}
