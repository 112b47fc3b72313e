import fc from 'fast-check';
import type {
  CardReference,
  Generation,
  VehicleRegistration,
  VuDay,
} from '../../../src/server/tachograph/engine/records.ts';
import type { UnitContent } from '../../../src/server/tachograph/engine/vu/encode.ts';
import * as is from './scenario.ts';

const { byte, u16, time, maybeTime, odometer, text, ia5, hex, list } = is;

type Card = fc.Arbitrary<CardReference | null>;

const company = fc.record({ name: text(36), address: text(36) });

const overview = (of: Card, vehicle: fc.Arbitrary<VehicleRegistration>) =>
  fc.record({
    vin: ia5(17),
    vehicle,
    currentTime: maybeTime,
    downloadableFrom: maybeTime,
    downloadableTo: maybeTime,
    driverSlot: fc.integer({ min: 0, max: 15 }),
    coDriverSlot: fc.integer({ min: 0, max: 15 }),
    previousDownload: fc.record({ time: maybeTime, card: of, company: text(36) }),
    companyLocks: list(
      fc.record({ lockIn: maybeTime, lockOut: maybeTime, name: text(36), address: text(36), card: of }),
      3,
    ),
    controls: list(
      fc.record({ controlType: byte, time: maybeTime, card: of, periodBegin: maybeTime, periodEnd: maybeTime }),
      3,
    ),
  });

const slotCards = (of: Card) => ({ driverBegin: of, coDriverBegin: of, driverEnd: of, coDriverEnd: of });
const fault = (of: Card) => ({ type: byte, purpose: byte, begin: maybeTime, end: maybeTime, ...slotCards(of) });

function day(date: string, generation: Generation, of: Card): fc.Arbitrary<VuDay> {
  const first = generation === 'G1';
  const second = generation === 'G2v2';
  const fix = second ? is.gnssAuthenticated : is.gnss;
  const later = <T>(there: boolean, records: fc.Arbitrary<T>) => (there ? list(records, 3) : fc.constant([]));
  const crew = { driver: of, coDriver: of };
  const place = { card: of, time, entryType: byte, country: byte, region: byte, odometerKm: odometer };
  return fc.record({
    date: fc.constant(date),
    generation: fc.constant(generation),
    odometerAtMidnightKm: odometer,
    insertions: list(
      fc.record({
        surname: text(36),
        firstNames: text(36),
        card: of,
        expiry: maybeTime,
        inserted: time,
        odometerInsertedKm: odometer,
        slot: byte,
        withdrawn: maybeTime,
        odometerWithdrawnKm: odometer,
        previousVehicle: is.registration,
        previousWithdrawn: maybeTime,
        manualEntries: fc.boolean(),
        ...(first ? {} : { previousVehicleGeneration: byte }),
      }),
      3,
    ),
    changes: is.changes,
    places: list(fc.record({ ...place, ...(first ? {} : { gnss: fix }) }), 3),
    gnss: later(!first, fc.record({ time, ...crew, gnss: fix, odometerKm: odometer })),
    specificConditions: list(is.condition, 3),
    borderCrossings: later(
      second,
      fc.tuple(is.border, fc.record(crew)).map(([of, cards]) => ({ ...of, ...cards })),
    ),
    loadUnloads: later(
      second,
      fc.tuple(is.loadUnload, fc.record(crew)).map(([of, cards]) => ({ ...of, ...cards })),
    ),
  }) as fc.Arbitrary<VuDay>;
}

const sensor = fc.record({ serialNumber: hex(8), approvalNumber: ia5(8), paired: maybeTime });

function technical(generation: Generation, of: Card) {
  const first = generation === 'G1';
  const further = (bytes: { G2v1: number; G2v2: number }) => (first ? {} : { further: hex(bytes[generation]) });
  return fc.record({
    identification: fc.record({
      manufacturer: company,
      partNumber: ia5(16),
      serialNumber: hex(8),
      softwareVersion: ia5(4),
      softwareInstalled: maybeTime,
      manufactured: maybeTime,
      approvalNumber: ia5(8),
      ...further({ G2v1: 2, G2v2: 14 }),
    }),
    sensors: first ? fc.tuple(sensor) : list(sensor, 3),
    externalGnss: first ? fc.constant([]) : list(sensor, 3),
    calibrations: list(
      fc.record({
        purpose: byte,
        workshop: company,
        workshopCard: is.card,
        workshopCardExpiry: maybeTime,
        vin: ia5(17),
        vehicle: is.registration,
        characteristicCoefficient: u16,
        recordingConstant: u16,
        tyreCircumference: u16,
        tyreSize: ia5(15),
        authorisedSpeedKmh: byte,
        oldOdometerKm: odometer,
        newOdometerKm: odometer,
        oldTime: maybeTime,
        newTime: maybeTime,
        nextCalibration: maybeTime,
        ...further({ G2v1: 55, G2v2: 85 }),
      }),
      3,
    ),
    cards: first
      ? fc.constant([])
      : list(fc.record({ card: of, extended: hex(8), structureVersion: hex(2), number: ia5(16) }), 3),
    itsConsents: first ? fc.constant([]) : list(fc.record({ card: of, consent: fc.boolean() }), 3),
    powerInterruptions: first ? fc.constant([]) : list(fc.record({ ...fault(of), similarEvents: byte }), 3),
  });
}

/** What a unit of a generation can hold, days and all. */
export function unit(generation: Generation): fc.Arbitrary<UnitContent> {
  const of = generation === 'G1' ? is.card : is.cardG2;
  const plate = text(14).map((number) => ({ nation: 0, number }));
  const manufacturerData = generation === 'G1' ? {} : { manufacturerData: hex(4) };
  const content = {
    overview: overview(of, generation === 'G2v1' ? plate : is.registration),
    days: is.dates(6).chain((dates) => fc.tuple(...dates.map((date) => day(date, generation, of)))),
    faults: list(fc.record({ ...fault(of), ...manufacturerData }), 3),
    events: list(fc.record({ ...fault(of), similarEvents: byte, ...manufacturerData }), 3),
    overspeedControl: fc.record({ last: maybeTime, first: maybeTime, count: byte }),
    overspeeds: list(
      fc.record({
        type: byte,
        purpose: byte,
        begin: maybeTime,
        end: maybeTime,
        maximumKmh: byte,
        averageKmh: byte,
        card: of,
        similarEvents: byte,
      }),
      3,
    ),
    timeAdjustments: list(fc.record({ oldTime: maybeTime, newTime: maybeTime, workshop: company, card: of }), 3),
    speeds: list(fc.record({ time, speedsKmh: fc.uint8Array({ minLength: 60, maxLength: 60 }) }), 5),
    technical: technical(generation, of),
  };
  const version = generation === 'G2v2' ? { interfaceVersion: hex(2) } : {};
  return fc.record({ ...version, ...content }) as unknown as fc.Arbitrary<UnitContent>;
}
