import { growing, hex, type Layout, mapped, odometer, ownTime, struct, time, u8, u16 } from '../layout/layout.ts';
import {
  activityChange,
  card,
  cardOfGeneration,
  company,
  gnssPlace,
  gnssPlaceAuthenticated,
  placeFields,
  registration,
  specificCondition,
} from '../layout/shared.ts';
import { ia5, text } from '../layout/text.ts';
import type { CardReference, SpecificCondition, VehicleRegistration } from '../values.ts';
import type * as is from '../vu-records.ts';

export interface Period {
  readonly downloadableFrom: number | null;
  readonly downloadableTo: number | null;
}

/** The driver's slot is the low nibble. */
export interface Slots {
  readonly driverSlot: number;
  readonly coDriverSlot: number;
}

const slots: Layout<Slots> = mapped(
  u8,
  (byte) => ({ driverSlot: byte & 15, coDriverSlot: byte >> 4 }),
  ({ driverSlot, coDriverSlot }) => (coDriverSlot << 4) | driverSlot,
);

const flag: Layout<boolean> = mapped(u8, (byte) => byte === 1, Number);

const speeds: Layout<Uint8Array> = {
  size: 60,
  // A copy, so that the file's bytes are not kept for it.
  read: (bytes, at) => new Uint8Array(bytes.subarray(at, at + 60)),
  write: (bytes, at, value) => bytes.set(value.subarray(0, 60), at),
};

/** What each record type holds, by its name here. */
export interface Records {
  readonly vin: string;
  readonly vehicle: VehicleRegistration;
  readonly currentTime: number | null;
  readonly period: Period;
  readonly slots: Slots;
  readonly previousDownload: is.VuDownload;
  readonly companyLocks: is.CompanyLock;
  readonly controls: is.VuControl;
  readonly date: number;
  readonly odometerAtMidnightKm: number | null;
  readonly insertions: is.CardInsertion;
  readonly changes: is.VuDay['changes'][number];
  readonly places: is.VuPlace;
  readonly gnss: is.VuGnssRecord;
  readonly specificConditions: SpecificCondition;
  readonly borderCrossings: is.VuBorderCrossing;
  readonly loadUnloads: is.VuLoadUnload;
  readonly faults: is.VuFault;
  readonly events: is.VuEvent;
  readonly overspeedControl: is.OverspeedControl;
  readonly overspeeds: is.Overspeed;
  readonly timeAdjustments: is.TimeAdjustment;
  readonly speeds: is.SpeedMinute;
  readonly identification: is.VuIdentification;
  readonly sensors: is.PairedSensor;
  readonly externalGnss: is.PairedSensor;
  readonly calibrations: is.Calibration;
  readonly cards: is.KnownCard;
  readonly itsConsents: is.ItsConsent;
  readonly powerInterruptions: is.PowerInterruption;
}

export type RecordName = keyof Records;

/** Record types of Annex IC, appendix 1, 2.120; units of generation 1 have the same records, without the numbers. */
export const RECORD_TYPES: ReadonlyMap<number, RecordName> = new Map<number, RecordName>([
  [0x01, 'changes'],
  [0x02, 'slots'],
  [0x03, 'currentTime'],
  [0x05, 'odometerAtMidnightKm'],
  [0x06, 'date'],
  [0x07, 'sensors'],
  [0x09, 'specificConditions'],
  [0x0a, 'vin'],
  [0x0b, 'vehicle'],
  [0x0c, 'calibrations'],
  [0x0d, 'insertions'],
  [0x0e, 'cards'],
  [0x10, 'companyLocks'],
  [0x11, 'controls'],
  [0x12, 'speeds'],
  [0x13, 'period'],
  [0x14, 'previousDownload'],
  [0x15, 'events'],
  [0x16, 'gnss'],
  [0x17, 'itsConsents'],
  [0x18, 'faults'],
  [0x19, 'identification'],
  [0x1a, 'overspeedControl'],
  [0x1b, 'overspeeds'],
  [0x1c, 'places'],
  [0x1e, 'timeAdjustments'],
  [0x1f, 'powerInterruptions'],
  [0x20, 'sensors'],
  [0x21, 'externalGnss'],
  [0x22, 'borderCrossings'],
  [0x23, 'loadUnloads'],
  [0x24, 'vehicle'],
]);

type Card = Layout<CardReference | null>;

const slotCards = (of: Card) => ({ driverBegin: of, coDriverBegin: of, driverEnd: of, coDriverEnd: of });

const faultFields = (of: Card) => ({ type: u8, purpose: u8, begin: time, end: time, ...slotCards(of) });

const insertionFields = (of: Card) => ({
  surname: text(36),
  firstNames: text(36),
  card: of,
  expiry: time,
  inserted: ownTime,
  odometerInsertedKm: odometer,
  slot: u8,
  withdrawn: time,
  odometerWithdrawnKm: odometer,
  previousVehicle: registration,
  previousWithdrawn: time,
});

const sensor = (approval: number) =>
  struct<is.PairedSensor>({ serialNumber: hex(8), approvalNumber: ia5(approval), paired: time });

const identification = (approval: number) =>
  struct<is.VuIdentification>({
    manufacturer: company,
    partNumber: ia5(16),
    serialNumber: hex(8),
    softwareVersion: ia5(4),
    softwareInstalled: time,
    manufactured: time,
    approvalNumber: ia5(approval),
  });

const calibration = struct<is.Calibration>({
  purpose: u8,
  workshop: company,
  workshopCard: card,
  workshopCardExpiry: time,
  vin: ia5(17),
  vehicle: registration,
  characteristicCoefficient: u16,
  recordingConstant: u16,
  tyreCircumference: u16,
  tyreSize: ia5(15),
  authorisedSpeedKmh: u8,
  oldOdometerKm: odometer,
  newOdometerKm: odometer,
  oldTime: time,
  newTime: time,
  nextCalibration: time,
});

/** A registration number without its nation. */
const plateOnly: Layout<VehicleRegistration> = mapped(
  text(14),
  (number) => ({ nation: 0, number }),
  ({ number }) => number,
);

const drivers = { driver: cardOfGeneration, coDriver: cardOfGeneration };
const gnssRecord = (fix: typeof gnssPlace) =>
  struct<is.VuGnssRecord>({ time: ownTime, ...drivers, gnss: fix, odometerKm: odometer });

/** Layouts that both generations share but for the card: with its generation in generation 2. */
const both = (of: Card): Table => ({
  vin: [ia5(17)],
  vehicle: [plateOnly, registration],
  currentTime: [time],
  period: [struct<Period>({ downloadableFrom: time, downloadableTo: time })],
  slots: [slots],
  previousDownload: [struct<is.VuDownload>({ time, card: of, company: text(36) })],
  companyLocks: [struct<is.CompanyLock>({ lockIn: time, lockOut: time, name: text(36), address: text(36), card: of })],
  controls: [struct<is.VuControl>({ controlType: u8, time, card: of, periodBegin: time, periodEnd: time })],
  date: [ownTime],
  odometerAtMidnightKm: [odometer],
  changes: [activityChange],
  specificConditions: [specificCondition],
  overspeedControl: [struct<is.OverspeedControl>({ last: time, first: time, count: u8 })],
  overspeeds: [
    struct<is.Overspeed>({
      type: u8,
      purpose: u8,
      begin: time,
      end: time,
      maximumKmh: u8,
      averageKmh: u8,
      card: of,
      similarEvents: u8,
    }),
  ],
  timeAdjustments: [struct<is.TimeAdjustment>({ oldTime: time, newTime: time, workshop: company, card: of })],
  speeds: [struct<is.SpeedMinute>({ time: ownTime, speedsKmh: speeds })],
  calibrations: [calibration],
});

type Table = { readonly [K in RecordName]?: readonly Layout<Records[K]>[] };

const g1: Table = {
  ...both(card),
  insertions: [struct<is.CardInsertion>({ ...insertionFields(card), manualEntries: flag })],
  places: [struct<is.VuPlace>({ card, ...placeFields })],
  faults: [struct<is.VuFault>(faultFields(card))],
  events: [struct<is.VuEvent>({ ...faultFields(card), similarEvents: u8 })],
  identification: [identification(8)],
  sensors: [sensor(8)],
};

const of2 = cardOfGeneration;
const manufacturerData = hex(4);
const g2: Table = {
  ...both(of2),
  insertions: [
    struct<is.CardInsertion>({ ...insertionFields(of2), previousVehicleGeneration: u8, manualEntries: flag }),
  ],
  places: [
    struct<is.VuPlace>({ card: of2, ...placeFields, gnss: gnssPlace }),
    struct<is.VuPlace>({ card: of2, ...placeFields, gnss: gnssPlaceAuthenticated }),
  ],
  gnss: [gnssRecord(gnssPlace), gnssRecord(gnssPlaceAuthenticated)],
  borderCrossings: [
    struct<is.VuBorderCrossing>({
      ...drivers,
      countryLeft: u8,
      countryEntered: u8,
      gnss: gnssPlaceAuthenticated,
      odometerKm: odometer,
    }),
  ],
  loadUnloads: [
    struct<is.VuLoadUnload>({
      time: ownTime,
      operation: u8,
      ...drivers,
      gnss: gnssPlaceAuthenticated,
      odometerKm: odometer,
    }),
  ],
  faults: [struct<is.VuFault>(faultFields(of2)), struct<is.VuFault>({ ...faultFields(of2), manufacturerData })],
  events: [
    struct<is.VuEvent>({ ...faultFields(of2), similarEvents: u8 }),
    struct<is.VuEvent>({ ...faultFields(of2), similarEvents: u8, manufacturerData }),
  ],
  calibrations: [growing(calibration)],
  identification: [growing(identification(16))],
  sensors: [sensor(16)],
  externalGnss: [sensor(16)],
  cards: [struct<is.KnownCard>({ card: of2, extended: hex(8), structureVersion: hex(2), number: ia5(16) })],
  itsConsents: [struct<is.ItsConsent>({ card: of2, consent: flag })],
  powerInterruptions: [struct<is.PowerInterruption>({ ...faultFields(of2), similarEvents: u8 })],
};

/**
 * The layout of a record of `size` bytes: the longest that is known and fits, as later versions only add to the end.
 * `undefined` where the record is shorter than any known one.
 */
export function layoutOf<K extends RecordName>(first: boolean, name: K, size: number): Layout<Records[K]> | undefined {
  const known = (first ? g1 : g2)[name] as readonly Layout<Records[K]>[] | undefined;
  const layout = known?.findLast((candidate) => candidate.size <= size);
  return layout?.growTo?.(size) ?? layout;
}
