import type { CardFile } from './card-records.ts';
import type {
  ActivityChange,
  BorderCrossing,
  CardReference,
  Company,
  Finding,
  Generation,
  GnssRecord,
  LoadUnload,
  Place,
  Seconds,
  SpecificCondition,
  VehicleRegistration,
} from './values.ts';

export interface VuDownload {
  readonly time: Seconds | null;
  readonly card: CardReference | null;
  readonly company: string;
}

export interface CompanyLock extends Company {
  readonly lockIn: Seconds | null;
  readonly lockOut: Seconds | null;
  readonly card: CardReference | null;
}

export interface VuControl {
  readonly controlType: number;
  readonly time: Seconds | null;
  readonly card: CardReference | null;
  readonly periodBegin: Seconds | null;
  readonly periodEnd: Seconds | null;
}

export interface VuOverview {
  readonly vin: string;
  readonly vehicle: VehicleRegistration;
  readonly currentTime: Seconds | null;
  readonly downloadableFrom: Seconds | null;
  readonly downloadableTo: Seconds | null;
  /** The cards in the slots: 0 no card, 1 driver, 2 workshop, 3 control, 4 company. */
  readonly driverSlot: number;
  readonly coDriverSlot: number;
  readonly previousDownload: VuDownload | null;
  readonly companyLocks: readonly CompanyLock[];
  readonly controls: readonly VuControl[];
}

/** An insertion of a card, as recorded by the unit. */
export interface CardInsertion {
  readonly surname: string;
  readonly firstNames: string;
  readonly card: CardReference | null;
  readonly expiry: Seconds | null;
  readonly inserted: Seconds;
  readonly odometerInsertedKm: number | null;
  /** 0 driver, 1 co-driver. */
  readonly slot: number;
  readonly withdrawn: Seconds | null;
  readonly odometerWithdrawnKm: number | null;
  readonly previousVehicle: VehicleRegistration;
  readonly previousWithdrawn: Seconds | null;
  readonly manualEntries: boolean;
  /** Generation 2. */
  readonly previousVehicleGeneration?: number;
}

export interface VuPlace extends Place {
  readonly card: CardReference | null;
}

export interface VuGnssRecord extends GnssRecord {
  readonly driver: CardReference | null;
  readonly coDriver: CardReference | null;
}

export interface VuBorderCrossing extends BorderCrossing {
  readonly driver: CardReference | null;
  readonly coDriver: CardReference | null;
}

export interface VuLoadUnload extends LoadUnload {
  readonly driver: CardReference | null;
  readonly coDriver: CardReference | null;
}

/** One day of a vehicle. Changes of both slots are mixed in `changes`: split them by `slot`. */
export interface VuDay {
  readonly date: string;
  readonly generation: Generation;
  readonly odometerAtMidnightKm: number | null;
  readonly insertions: readonly CardInsertion[];
  readonly changes: readonly ActivityChange[];
  readonly places: readonly VuPlace[];
  readonly gnss: readonly VuGnssRecord[];
  readonly specificConditions: readonly SpecificCondition[];
  readonly borderCrossings: readonly VuBorderCrossing[];
  readonly loadUnloads: readonly VuLoadUnload[];
}

/** The cards that were in the slots when an event or fault began and ended. */
export interface SlotCards {
  readonly driverBegin: CardReference | null;
  readonly coDriverBegin: CardReference | null;
  readonly driverEnd: CardReference | null;
  readonly coDriverEnd: CardReference | null;
}

export interface VuFault extends SlotCards {
  readonly type: number;
  readonly purpose: number;
  readonly begin: Seconds | null;
  readonly end: Seconds | null;
  /** Generation 2, hexadecimal. */
  readonly manufacturerData?: string;
}

export interface VuEvent extends VuFault {
  readonly similarEvents: number;
}

export interface OverspeedControl {
  readonly last: Seconds | null;
  readonly first: Seconds | null;
  readonly count: number;
}

export interface Overspeed {
  readonly type: number;
  readonly purpose: number;
  readonly begin: Seconds | null;
  readonly end: Seconds | null;
  readonly maximumKmh: number;
  readonly averageKmh: number;
  readonly card: CardReference | null;
  readonly similarEvents: number;
}

export interface TimeAdjustment {
  readonly oldTime: Seconds | null;
  readonly newTime: Seconds | null;
  readonly workshop: Company;
  readonly card: CardReference | null;
}

/** Sixty speeds, one a second, from `time` on. 255: no value. */
export interface SpeedMinute {
  readonly time: Seconds;
  readonly speedsKmh: Uint8Array;
}

export interface VuIdentification {
  readonly manufacturer: Company;
  readonly partNumber: string;
  readonly serialNumber: string;
  readonly softwareVersion: string;
  readonly softwareInstalled: Seconds | null;
  readonly manufactured: Seconds | null;
  readonly approvalNumber: string;
  /** Bytes after the known ones, hexadecimal: generation, ability, map version. */
  readonly further?: string;
}

export interface Calibration {
  readonly purpose: number;
  readonly workshop: Company;
  readonly workshopCard: CardReference | null;
  readonly workshopCardExpiry: Seconds | null;
  readonly vin: string;
  readonly vehicle: VehicleRegistration;
  /** Impulses per kilometre. */
  readonly characteristicCoefficient: number;
  readonly recordingConstant: number;
  /** Eighths of a millimetre. */
  readonly tyreCircumference: number;
  readonly tyreSize: string;
  readonly authorisedSpeedKmh: number;
  readonly oldOdometerKm: number | null;
  readonly newOdometerKm: number | null;
  readonly oldTime: Seconds | null;
  readonly newTime: Seconds | null;
  readonly nextCalibration: Seconds | null;
  /** Bytes after the known ones, hexadecimal: seals, and in version 2 paired devices, load type and country. */
  readonly further?: string;
}

export interface PairedSensor {
  readonly serialNumber: string;
  readonly approvalNumber: string;
  readonly paired: Seconds | null;
}

/** A card that the unit has recorded. */
export interface KnownCard {
  readonly card: CardReference | null;
  /** Serial number, month and year, type, manufacturer: hexadecimal. */
  readonly extended: string;
  readonly structureVersion: string;
  readonly number: string;
}

export interface ItsConsent {
  readonly card: CardReference | null;
  readonly consent: boolean;
}

export interface PowerInterruption extends SlotCards {
  readonly type: number;
  readonly purpose: number;
  readonly begin: Seconds | null;
  readonly end: Seconds | null;
  readonly similarEvents: number;
}

export interface VuTechnical {
  readonly identification: VuIdentification | null;
  readonly sensors: readonly PairedSensor[];
  readonly externalGnss: readonly PairedSensor[];
  readonly calibrations: readonly Calibration[];
  readonly cards: readonly KnownCard[];
  readonly itsConsents: readonly ItsConsent[];
  readonly powerInterruptions: readonly PowerInterruption[];
}

/** A unit's file. Blocks of one kind are joined, in the order of the file. */
export interface VehicleUnitFile {
  readonly kind: 'vehicle-unit';
  readonly generations: readonly Generation[];
  /** Generation 2 version 2: two bytes, hexadecimal. */
  readonly interfaceVersion?: string;
  readonly overview?: VuOverview;
  readonly days: readonly VuDay[];
  /** Days whose block is damaged or cut: the part that could be read. Their end is not the end of the day. */
  readonly incompleteDays: readonly VuDay[];
  readonly faults: readonly VuFault[];
  readonly events: readonly VuEvent[];
  readonly overspeedControl?: OverspeedControl;
  readonly overspeeds: readonly Overspeed[];
  readonly timeAdjustments: readonly TimeAdjustment[];
  readonly speeds: readonly SpeedMinute[];
  readonly technical?: VuTechnical;
  /** A card downloaded through the unit. */
  readonly card?: CardFile;
  readonly findings: readonly Finding[];
}
