import type {
  ActivityDay,
  BorderCrossing,
  CardKind,
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

export interface VehicleUse {
  readonly vehicle: VehicleRegistration;
  readonly odometerBeginKm: number | null;
  readonly odometerEndKm: number | null;
  readonly firstUse: Seconds;
  readonly lastUse: Seconds | null;
  readonly dataBlockCounter: number;
  /** Generation 2. */
  readonly vin?: string;
}

export interface CardEvent {
  readonly type: number;
  readonly begin: Seconds;
  readonly end: Seconds | null;
  readonly vehicle: VehicleRegistration;
}

export interface VehicleUnitUse {
  readonly time: Seconds;
  readonly manufacturer: number;
  readonly deviceId: number;
  readonly softwareVersion: string;
}

export interface AuthenticationStatus {
  readonly time: Seconds;
  readonly authentication: number;
}

export interface LoadType {
  readonly time: Seconds;
  /** 0 undefined, 1 goods, 2 passengers. */
  readonly loadType: number;
}

export interface CardChip {
  readonly clockStop: number;
  readonly serialNumber: number;
  /** Month and year as stored on the card: `0126`. */
  readonly monthYear: string;
  readonly serialType: number;
  readonly manufacturer: number;
  readonly approvalNumber: string;
  readonly personaliser: number;
  readonly embedder: string;
  readonly icIdentifier: string;
}

export interface ApplicationIdentification {
  /** 1 driver, 2 workshop, 3 control, 4 company. */
  readonly cardType: number;
  /** `0000` generation 1, `0100` generation 2 version 1, `0101` generation 2 version 2. */
  readonly structureVersion: string;
  readonly eventsPerType: number;
  readonly faultsPerType: number;
  readonly activityBytes: number;
  readonly vehicles: number;
  readonly places: number;
  /** The next three: generation 2. */
  readonly gnssRecords?: number;
  readonly specificConditions?: number;
  readonly vehicleUnits?: number;
}

export interface ApplicationIdentificationV2 {
  readonly followingBytes: number;
  readonly borderCrossings: number;
  readonly loadUnloads: number;
  readonly loadTypes: number;
  readonly vuConfigurationBytes: number;
}

export interface Identification {
  readonly nation: number;
  readonly cardNumber: string;
  readonly authority: string;
  readonly issued: Seconds | null;
  readonly validFrom: Seconds | null;
  readonly expiry: Seconds | null;
  readonly surname: string;
  readonly firstNames: string;
  /** `yyyy-mm-dd` */
  readonly birthDate: string | null;
  readonly language: string;
  /** Of workshop, control and company cards. */
  readonly organisation?: Company;
}

export interface DrivingLicence {
  readonly authority: string;
  readonly nation: number;
  readonly number: string;
}

export interface CurrentUsage {
  readonly sessionOpened: Seconds | null;
  readonly vehicle: VehicleRegistration;
}

export interface CardControl {
  /** Bits from the top: card downloaded, unit downloaded, printed, displayed, calibration checked. */
  readonly controlType: number;
  readonly time: Seconds | null;
  readonly card: CardReference | null;
  readonly vehicle: VehicleRegistration;
  readonly periodBegin: Seconds | null;
  readonly periodEnd: Seconds | null;
}

/**
 * One application of a card (`gen1` is DF Tachograph, `gen2` DF Tachograph_G2). Records of cyclic files are ordered oldest
 * first, empty slots left out. A file that is not in the download is `undefined` or an empty list; `present` lists the others.
 */
export interface CardSection {
  readonly generation: Generation;
  /** FIDs that the download holds, in their order. */
  readonly present: readonly string[];
  readonly application?: ApplicationIdentification;
  readonly applicationV2?: ApplicationIdentificationV2;
  readonly identification?: Identification;
  readonly drivingLicence?: DrivingLicence;
  /** When the card was downloaded before this download. */
  readonly lastDownload?: Seconds | null;
  readonly events: readonly CardEvent[];
  readonly faults: readonly CardEvent[];
  /** Ascending. */
  readonly days: readonly ActivityDay[];
  readonly vehiclesUsed: readonly VehicleUse[];
  readonly places: readonly Place[];
  readonly currentUsage?: CurrentUsage;
  readonly control?: CardControl;
  readonly specificConditions: readonly SpecificCondition[];
  readonly vehicleUnitsUsed: readonly VehicleUnitUse[];
  readonly gnss: readonly GnssRecord[];
  readonly placeAuthentications: readonly AuthenticationStatus[];
  readonly gnssAuthentications: readonly AuthenticationStatus[];
  readonly borderCrossings: readonly BorderCrossing[];
  readonly loadUnloads: readonly LoadUnload[];
  readonly loadTypes: readonly LoadType[];
}

/** A card's file, downloaded with a reader or through a unit. */
export interface CardFile {
  readonly kind: CardKind;
  readonly generations: readonly Generation[];
  readonly chip?: CardChip;
  readonly ic?: string;
  readonly gen1?: CardSection;
  readonly gen2?: CardSection;
  readonly findings: readonly Finding[];
}
