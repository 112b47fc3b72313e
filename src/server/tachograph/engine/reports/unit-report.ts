import type { CardReference, Seconds, VehicleUnitFile } from '../records.ts';

/** What a unit has recorded about itself and its vehicle, without the activities of drivers. */
export interface UnitReport {
  readonly vin: string;
  readonly plate: string;
  readonly downloadedAt: Seconds | null;
  readonly identification: {
    readonly manufacturer: string;
    readonly partNumber: string;
    readonly serialNumber: string;
    readonly softwareVersion: string;
    readonly softwareInstalledAt: Seconds | null;
    readonly manufacturedAt: Seconds | null;
    readonly approvalNumber: string;
  } | null;
  readonly sensors: readonly UnitSensor[];
  readonly calibrations: readonly UnitCalibration[];
  readonly companyLocks: readonly UnitLock[];
  readonly controls: readonly UnitControl[];
  readonly events: readonly UnitIncident[];
  readonly overspeeds: readonly UnitOverspeed[];
  readonly timeAdjustments: readonly UnitTimeAdjustment[];
  readonly drivers: readonly UnitDriver[];
}

export interface UnitSensor {
  readonly serialNumber: string;
  readonly approvalNumber: string;
  readonly pairedAt: Seconds | null;
}

export interface UnitCalibration {
  readonly at: Seconds | null;
  readonly purpose: number;
  readonly workshop: string;
  readonly workshopCard: string | null;
  readonly odometerKm: number | null;
  /** impulses per kilometer */
  readonly w: number;
  readonly k: number;
  readonly tyreSize: string;
  readonly tyreCircumferenceMm: number;
  readonly authorisedSpeedKmh: number;
  readonly nextCalibrationAt: Seconds | null;
}

export interface UnitLock {
  readonly company: string;
  readonly address: string;
  readonly lockedAt: Seconds | null;
  /** `null`: still locked */
  readonly unlockedAt: Seconds | null;
}

export interface UnitControl {
  readonly at: Seconds | null;
  readonly type: number;
  readonly card: string | null;
}

export interface UnitIncident {
  readonly kind: 'event' | 'fault';
  readonly code: number;
  readonly from: Seconds | null;
  readonly to: Seconds | null;
  readonly cards: readonly string[];
  readonly similar: number | null;
}

export interface UnitOverspeed {
  readonly from: Seconds | null;
  readonly to: Seconds | null;
  readonly maximumKmh: number;
  readonly averageKmh: number;
  readonly card: string | null;
  readonly similar: number;
}

export interface UnitTimeAdjustment {
  readonly from: Seconds | null;
  readonly to: Seconds | null;
  readonly workshop: string;
}

export interface UnitDriver {
  readonly name: string;
  readonly card: string | null;
  readonly slot: 'driver' | 'co-driver';
  readonly from: Seconds;
  readonly to: Seconds | null;
  readonly odometerFromKm: number | null;
  readonly odometerToKm: number | null;
}

const numberOf = (card: CardReference | null): string | null =>
  card === null || card.number === '' ? null : card.number;

const byTime = <T>(items: readonly T[], at: (item: T) => Seconds | null): T[] =>
  items.toSorted((a, b) => (at(a) ?? 0) - (at(b) ?? 0));

export function unitReportOf(unit: VehicleUnitFile): UnitReport {
  const identification = unit.technical?.identification ?? null;
  return {
    vin: unit.overview?.vin ?? '',
    plate: unit.overview?.vehicle.number ?? '',
    downloadedAt: unit.overview?.currentTime ?? null,
    identification: identification && {
      manufacturer: identification.manufacturer.name,
      partNumber: identification.partNumber,
      serialNumber: identification.serialNumber,
      softwareVersion: identification.softwareVersion,
      softwareInstalledAt: identification.softwareInstalled,
      manufacturedAt: identification.manufactured,
      approvalNumber: identification.approvalNumber,
    },
    sensors: (unit.technical?.sensors ?? []).map(({ serialNumber, approvalNumber, paired }) => ({
      serialNumber,
      approvalNumber,
      pairedAt: paired,
    })),
    calibrations: calibrationsOf(unit),
    companyLocks: (unit.overview?.companyLocks ?? []).map(({ name, address, lockIn, lockOut }) => ({
      company: name,
      address,
      lockedAt: lockIn,
      unlockedAt: lockOut,
    })),
    controls: (unit.overview?.controls ?? []).map(({ time, controlType, card }) => ({
      at: time,
      type: controlType,
      card: numberOf(card),
    })),
    events: incidentsOf(unit),
    overspeeds: byTime(
      once(
        unit.overspeeds.map(({ begin, end, maximumKmh, averageKmh, card, similarEvents }) => ({
          from: begin,
          to: end,
          maximumKmh,
          averageKmh,
          card: numberOf(card),
          similar: similarEvents,
        })),
        ({ from, to, card }) => `${from}/${to}/${card}`,
        (a, b) => ({ ...a, similar: Math.max(a.similar, b.similar) }),
      ),
      ({ from }) => from,
    ),
    timeAdjustments: unit.timeAdjustments.map(({ oldTime, newTime, workshop }) => ({
      from: oldTime,
      to: newTime,
      workshop: workshop.name,
    })),
    drivers: driversOf(unit),
  };
}

const calibrationsOf = (unit: VehicleUnitFile): UnitCalibration[] =>
  (unit.technical?.calibrations ?? []).map((each) => ({
    at: each.newTime ?? each.oldTime,
    purpose: each.purpose,
    workshop: each.workshop.name,
    workshopCard: numberOf(each.workshopCard),
    odometerKm: each.newOdometerKm,
    w: each.characteristicCoefficient,
    k: each.recordingConstant,
    tyreSize: each.tyreSize,
    tyreCircumferenceMm: each.tyreCircumference / 8,
    authorisedSpeedKmh: each.authorisedSpeedKmh,
    nextCalibrationAt: each.nextCalibration,
  }));

function incidentsOf({ events, faults, technical }: VehicleUnitFile): UnitIncident[] {
  const of = (kind: UnitIncident['kind'], items: VehicleUnitFile['faults']): UnitIncident[] =>
    items.map(({ type, begin, end, ...slots }) => ({
      kind,
      code: type,
      from: begin,
      to: end,
      cards: cardsOf(slots),
      similar: 'similarEvents' in slots ? (slots.similarEvents as number) : null,
    }));
  const all = [...of('event', events), ...of('event', technical?.powerInterruptions ?? []), ...of('fault', faults)];
  return byTime(
    once(all, ({ kind, code, from, to }) => `${kind}/${code}/${from}/${to}`, joined),
    ({ from }) => from,
  );
}

/** A unit keeps an event for several purposes: the longest, the last, the most serious one. */
function once<T>(items: readonly T[], keyOf: (item: T) => string, join: (a: T, b: T) => T): T[] {
  const found = new Map<string, T>();
  for (const item of items) {
    const before = found.get(keyOf(item));
    found.set(keyOf(item), before === undefined ? item : join(before, item));
  }
  return [...found.values()];
}

const joined = (a: UnitIncident, b: UnitIncident): UnitIncident => ({
  ...a,
  cards: [...new Set([...a.cards, ...b.cards])],
  similar: a.similar === null || b.similar === null ? (a.similar ?? b.similar) : Math.max(a.similar, b.similar),
});

function cardsOf(slots: Omit<VehicleUnitFile['faults'][number], 'type' | 'begin' | 'end'>): string[] {
  const { driverBegin, coDriverBegin, driverEnd, coDriverEnd } = slots;
  const numbers = [driverBegin, coDriverBegin, driverEnd, coDriverEnd].map(numberOf);
  return [...new Set(numbers.filter((number) => number !== null))];
}

function driversOf({ days, incompleteDays }: VehicleUnitFile): UnitDriver[] {
  // A card that stays in over midnight is in the blocks of several days.
  const found = new Map<string, UnitDriver>();
  for (const each of [...days, ...incompleteDays].flatMap(({ insertions }) => insertions)) {
    const card = numberOf(each.card);
    const key = `${card}/${each.inserted}`;
    if (found.get(key)?.to != null) continue;
    found.set(key, {
      name: `${each.surname} ${each.firstNames}`.trim(),
      card,
      slot: each.slot === 0 ? 'driver' : 'co-driver',
      from: each.inserted,
      to: each.withdrawn,
      odometerFromKm: each.odometerInsertedKm,
      odometerToKm: each.odometerWithdrawnKm,
    });
  }
  return byTime([...found.values()], ({ from }) => from);
}
