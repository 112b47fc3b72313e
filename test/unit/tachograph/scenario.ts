import fc from 'fast-check';
import type { SectionContent } from '../../../src/server/tachograph/engine/card/encode.ts';
import type {
  ActivityChange,
  ActivityDay,
  BorderCrossing,
  CardChip,
  CardEvent,
  CardReference,
  GnssPlace,
  Identification,
  LoadUnload,
  Place,
  Position,
  VehicleRegistration,
} from '../../../src/server/tachograph/engine/records.ts';

/** Generated records of every kind, with values that the format can hold. */

export const byte = fc.integer({ min: 0, max: 255 });
export const u16 = fc.integer({ min: 0, max: 0xffff });
export const time = fc.integer({ min: 1, max: 0xffff_fffe });
export const maybeTime = fc.option(time);
export const odometer = fc.option(fc.integer({ min: 0, max: 0xff_fffe }));
export const hex = (bytes: number): fc.Arbitrary<string> =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => Buffer.from(value).toString('hex'));

const alphabets = ['ABCxyz 019-.', 'ÀÉÎöüßñ', 'ŁódźĄę', 'ЖукЩ', 'ΑθήναΩ', 'Țară', 'Ґїє'];

/** Text of one alphabet, as one field has one code page, and no fillers at its ends. */
export const text = (bytes: number): fc.Arbitrary<string> =>
  fc
    .constantFrom(...alphabets)
    .chain((letters) => fc.array(fc.constantFrom(...letters), { maxLength: bytes - 1 }))
    .map((letters) => letters.join('').trim());
export const ia5 = (bytes: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...'ABCXYZ0189- '), { maxLength: bytes }).map((letters) => letters.join('').trim());

export const registration: fc.Arbitrary<VehicleRegistration> = fc.record({ nation: byte, number: text(14) });
export const card: fc.Arbitrary<CardReference | null> = fc.option(
  fc.record({ type: fc.integer({ min: 1, max: 4 }), nation: byte, number: ia5(16) }),
);
export const cardG2: fc.Arbitrary<CardReference | null> = fc.option(
  fc.record({ type: fc.integer({ min: 1, max: 4 }), nation: byte, number: ia5(16), generation: byte }),
);

/** Degrees that are a whole number of tenths of a minute. */
const degrees = (most: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max: most - 1 }), fc.integer({ min: 0, max: 599 }))
    .map(([south, whole, tenths]) => (south && whole + tenths > 0 ? -(whole + tenths / 600) : whole + tenths / 600));
const position: fc.Arbitrary<Position | null> = fc.option(
  fc.record({ latitude: degrees(90), longitude: degrees(180) }),
);
export const gnss: fc.Arbitrary<GnssPlace> = fc.record({ time: maybeTime, accuracy: byte, position });
export const gnssAuthenticated: fc.Arbitrary<GnssPlace> = fc.record({
  time,
  accuracy: byte,
  position,
  authentication: byte,
});

const status = fc.constantFrom(
  { inserted: true, status: 'single' } as const,
  { inserted: true, status: 'crew' } as const,
  { inserted: false, status: 'unknown' } as const,
  { inserted: false, status: 'manual' } as const,
);
const change = (minute: number): fc.Arbitrary<ActivityChange> =>
  fc
    .tuple(status, fc.constantFrom('rest', 'availability', 'work', 'driving'), fc.constantFrom('driver', 'co-driver'))
    .map(([state, activity, slot]) => ({ minute, activity, slot, ...state }) as const);

/** Words of a day in order, the first at 00:00: 0x0000 among them. */
export const changes: fc.Arbitrary<ActivityChange[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 1439 }), { maxLength: 30 })
  .chain((minutes) => fc.tuple(...[0, ...minutes.toSorted((a, b) => a - b)].map(change)));

export const dates = (most: number): fc.Arbitrary<string[]> =>
  fc
    .uniqueArray(fc.integer({ min: 18_000, max: 18_000 + 3 * most }), { maxLength: most })
    .map((days) => days.toSorted((a, b) => a - b).map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10)));

const day = (date: string): fc.Arbitrary<ActivityDay> =>
  fc.record({
    date: fc.constant(date),
    presenceCounter: fc.integer({ min: 0, max: 9999 }),
    distanceKm: u16,
    changes,
  });
export const days: fc.Arbitrary<ActivityDay[]> = dates(40).chain((list) => fc.tuple(...list.map(day)));

export const list = <T>(of: fc.Arbitrary<T>, most = 12): fc.Arbitrary<T[]> => fc.array(of, { maxLength: most });

export const chip: fc.Arbitrary<CardChip> = fc.record({
  clockStop: byte,
  serialNumber: time,
  monthYear: hex(2),
  serialType: byte,
  manufacturer: byte,
  approvalNumber: ia5(8),
  personaliser: byte,
  embedder: hex(5),
  icIdentifier: hex(2),
});

const birthDate = fc
  .integer({ min: 0, max: 20_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

const identification: fc.Arbitrary<Identification> = fc.record({
  nation: byte,
  cardNumber: ia5(16),
  authority: text(36),
  issued: maybeTime,
  validFrom: maybeTime,
  expiry: maybeTime,
  surname: text(36),
  firstNames: text(36),
  language: ia5(2),
  birthDate: fc.option(birthDate),
});

/** At most six types, as a card has six sets of generation 1. */
const events: fc.Arbitrary<CardEvent[]> = fc
  .uniqueArray(fc.integer({ min: 1, max: 0x3f }), { maxLength: 6 })
  .chain((types) =>
    fc.tuple(
      ...types
        .toSorted((a, b) => Number(isBreach(a)) - Number(isBreach(b)) || a - b)
        .map((type) =>
          fc.array(fc.record({ type: fc.constant(type), begin: time, end: maybeTime, vehicle: registration }), {
            maxLength: 3,
          }),
        ),
    ),
  )
  .map((sets) => sets.flat());
const isBreach = (type: number): boolean => type >= 0x10 && type <= 0x2f;

const place: fc.Arbitrary<Place> = fc.record({
  time,
  entryType: byte,
  country: byte,
  region: byte,
  odometerKm: odometer,
});
export const placeG2: fc.Arbitrary<Place> = fc.tuple(place, gnss).map(([of, fix]) => ({ ...of, gnss: fix }));
const vehicleUse = {
  vehicle: registration,
  odometerBeginKm: odometer,
  odometerEndKm: odometer,
  firstUse: time,
  lastUse: maybeTime,
  dataBlockCounter: fc.integer({ min: 0, max: 9999 }),
};
export const condition = fc.record({ time, type: byte });
export const border: fc.Arbitrary<BorderCrossing> = fc.record({
  countryLeft: byte,
  countryEntered: byte,
  gnss: gnssAuthenticated,
  odometerKm: odometer,
});
export const loadUnload: fc.Arbitrary<LoadUnload> = fc.record({
  time,
  operation: byte,
  gnss: gnssAuthenticated,
  odometerKm: odometer,
});

const common = {
  identification,
  drivingLicence: fc.record({ authority: text(36), nation: byte, number: ia5(16) }),
  lastDownload: maybeTime,
  events,
  faults: fc.constant([]),
  days,
  currentUsage: fc.record({ sessionOpened: maybeTime, vehicle: registration }),
  control: fc.record({
    controlType: byte,
    time: maybeTime,
    card,
    vehicle: registration,
    periodBegin: maybeTime,
    periodEnd: maybeTime,
  }),
};

const application = {
  cardType: fc.constant(1),
  eventsPerType: byte,
  faultsPerType: byte,
  activityBytes: fc.constant(13_776),
  vehicles: fc.constant(200),
  places: fc.constant(112),
};

const none = fc.constant([]);

export const gen1: fc.Arbitrary<SectionContent> = fc.record({
  ...common,
  application: fc.record({ ...application, structureVersion: fc.constant('0000') }),
  vehiclesUsed: list(fc.record(vehicleUse)),
  places: list(place),
  specificConditions: list(condition).map((of) => of.toSorted((a, b) => a.time - b.time)),
  vehicleUnitsUsed: none,
  gnss: none,
  placeAuthentications: none,
  gnssAuthentications: none,
  borderCrossings: none,
  loadUnloads: none,
  loadTypes: none,
});

const statuses = list(fc.record({ time, authentication: byte }));

export const gen2 = (version: 'G2v1' | 'G2v2'): fc.Arbitrary<SectionContent> => {
  const second = version === 'G2v2';
  const later = <T>(of: fc.Arbitrary<T[]>): fc.Arbitrary<T[]> => (second ? of : fc.constant([]));
  return fc.record({
    ...common,
    application: fc.record({
      ...application,
      structureVersion: fc.constant(second ? '0101' : '0100'),
      gnssRecords: fc.constant(336),
      specificConditions: fc.constant(112),
      vehicleUnits: fc.constant(200),
    }),
    ...(second && {
      applicationV2: fc.record({
        followingBytes: u16,
        borderCrossings: u16,
        loadUnloads: u16,
        loadTypes: u16,
        vuConfigurationBytes: u16,
      }),
    }),
    vehiclesUsed: list(fc.record({ ...vehicleUse, vin: ia5(17) })),
    places: list(placeG2),
    specificConditions: list(condition),
    vehicleUnitsUsed: list(fc.record({ time, manufacturer: byte, deviceId: byte, softwareVersion: ia5(4) })),
    gnss: list(fc.record({ time, gnss, odometerKm: odometer })),
    placeAuthentications: later(statuses),
    gnssAuthentications: later(statuses),
    borderCrossings: later(list(border)),
    loadUnloads: later(list(loadUnload)),
    loadTypes: later(list(fc.record({ time, loadType: byte }))),
  }) as fc.Arbitrary<SectionContent>;
};
