import type {
  ApplicationIdentification,
  ApplicationIdentificationV2,
  AuthenticationStatus,
  CardChip,
  CardControl,
  CardEvent,
  CurrentUsage,
  DrivingLicence,
  Identification,
  LoadType,
  VehicleUnitUse,
  VehicleUse,
} from '../card-records.ts';
import {
  bcd16,
  dateOfBirth,
  hex,
  type Layout,
  odometer,
  ownTime,
  struct,
  time,
  u8,
  u16,
  u32,
} from '../layout/layout.ts';
import { card, company, gnssPlace, gnssPlaceAuthenticated, registration } from '../layout/shared.ts';
import { ia5, text } from '../layout/text.ts';
import type { BorderCrossing, GnssRecord, LoadUnload } from '../values.ts';

export const chip: Layout<CardChip> = struct<CardChip>({
  clockStop: u8,
  serialNumber: u32,
  monthYear: hex(2),
  serialType: u8,
  manufacturer: u8,
  approvalNumber: ia5(8),
  personaliser: u8,
  embedder: hex(5),
  icIdentifier: hex(2),
});

const application1 = {
  cardType: u8,
  structureVersion: hex(2),
  eventsPerType: u8,
  faultsPerType: u8,
  activityBytes: u16,
  vehicles: u16,
};
export const application = struct<ApplicationIdentification>({ ...application1, places: u8 });
export const applicationG2 = struct<ApplicationIdentification>({
  ...application1,
  places: u16,
  gnssRecords: u16,
  specificConditions: u16,
  vehicleUnits: u16,
});
export const applicationV2 = struct<ApplicationIdentificationV2>({
  followingBytes: u16,
  borderCrossings: u16,
  loadUnloads: u16,
  loadTypes: u16,
  vuConfigurationBytes: u16,
});

const cardFields = {
  nation: u8,
  cardNumber: ia5(16),
  authority: text(36),
  issued: time,
  validFrom: time,
  expiry: time,
};
type HolderKey = 'surname' | 'firstNames' | 'birthDate' | 'language' | 'organisation';
type Holder = Pick<Identification, HolderKey>;
/** An identification whose card may have no holder. */
type Partly = Omit<Identification, HolderKey> & Partial<Holder>;
type HolderFields = { readonly [K in HolderKey]?: Layout<Exclude<Identification[K], undefined>> };

const noHolder: Holder = { surname: '', firstNames: '', birthDate: null, language: '' };

/** The holder's part differs with the kind of card; absent fields are blank. */
function identificationOf(fields: HolderFields): Layout<Identification> {
  const layout = struct<Partly>({ ...cardFields, ...fields });
  const { size, write } = layout;
  return { size, write, read: (bytes, at, note) => ({ ...noHolder, ...layout.read(bytes, at, note) }) };
}

const names = { surname: text(36), firstNames: text(36) };
/** Drivers, workshops and controllers, companies. */
const holders: readonly HolderFields[] = [
  { ...names, birthDate: dateOfBirth, language: ia5(2) },
  { organisation: company, ...names, language: ia5(2) },
  { organisation: company, language: ia5(2) },
];
/** EF Identification by its size. */
export const identifications: ReadonlyMap<number, Layout<Identification>> = new Map(
  holders.map((fields) => {
    const layout = identificationOf(fields);
    return [layout.size, layout];
  }),
);
export const driverIdentification: Layout<Identification> = identifications.get(143)!;

export const drivingLicence = struct<DrivingLicence>({ authority: text(36), nation: u8, number: ia5(16) });

export const event = struct<CardEvent>({ type: u8, begin: ownTime, end: time, vehicle: registration });

const vehicleFields = {
  odometerBeginKm: odometer,
  odometerEndKm: odometer,
  firstUse: ownTime,
  lastUse: time,
  vehicle: registration,
  dataBlockCounter: bcd16,
};
export const vehicleUse = struct<VehicleUse>(vehicleFields);
export const vehicleUseG2 = struct<VehicleUse>({ ...vehicleFields, vin: ia5(17) });

export const currentUsage = struct<CurrentUsage>({ sessionOpened: time, vehicle: registration });

export const control = struct<CardControl>({
  controlType: u8,
  time,
  card,
  vehicle: registration,
  periodBegin: time,
  periodEnd: time,
});

export const vehicleUnitUse = struct<VehicleUnitUse>({
  time: ownTime,
  manufacturer: u8,
  deviceId: u8,
  softwareVersion: ia5(4),
});
export const gnssRecord = struct<GnssRecord>({ time: ownTime, gnss: gnssPlace, odometerKm: odometer });
export const authenticationStatus = struct<AuthenticationStatus>({ time: ownTime, authentication: u8 });
export const borderCrossing = struct<BorderCrossing>({
  countryLeft: u8,
  countryEntered: u8,
  gnss: gnssPlaceAuthenticated,
  odometerKm: odometer,
});
export const loadUnload = struct<LoadUnload>({
  time: ownTime,
  operation: u8,
  gnss: gnssPlaceAuthenticated,
  odometerKm: odometer,
});
export const loadType = struct<LoadType>({ time: ownTime, loadType: u8 });
