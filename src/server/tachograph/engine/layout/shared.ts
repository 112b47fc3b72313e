import type {
  Activity,
  ActivityChange,
  CardReference,
  Company,
  GnssPlace,
  Place,
  Position,
  SpecificCondition,
  VehicleRegistration,
} from '../values.ts';
import { type Layout, mapped, odometer, ownTime, struct, time, u8, u24 } from './layout.ts';
import { ia5, text } from './text.ts';

const ACTIVITIES: readonly Activity[] = ['rest', 'availability', 'work', 'driving'];

/** One shared object per 16-bit value, created on first use: files contain tens of thousands of them. */
const changesByWord: (ActivityChange | undefined)[] = new Array(0x10000);

function changeOfWord(word: number): ActivityChange {
  const inserted = (word & 0x2000) === 0;
  const c = (word & 0x4000) !== 0;
  return Object.freeze({
    minute: word & 0x7ff,
    activity: ACTIVITIES[(word >> 11) & 3]!,
    slot: (word & 0x8000) === 0 ? 'driver' : 'co-driver',
    inserted,
    status: inserted ? (c ? 'crew' : 'single') : c ? 'manual' : 'unknown',
  } as const);
}

/** ActivityChangeInfo: `scpaattt tttttttt`. 0x0000 is a valid value. */
export const activityChange: Layout<ActivityChange> = {
  size: 2,
  read(bytes, at) {
    const word = (bytes[at]! << 8) | bytes[at + 1]!;
    changesByWord[word] ??= changeOfWord(word);
    return changesByWord[word];
  },
  write(bytes, at, change) {
    const c = change.status === 'crew' || change.status === 'manual';
    const flags = (change.slot === 'driver' ? 0 : 0x80) | (c ? 0x40 : 0) | (change.inserted ? 0 : 0x20);
    bytes[at] = flags | (ACTIVITIES.indexOf(change.activity) << 3) | (change.minute >> 8);
    bytes[at + 1] = change.minute & 0xff;
  },
};

export const registration: Layout<VehicleRegistration> = struct<VehicleRegistration>({
  nation: u8,
  number: text(14),
});

/** FullCardNumber, blank without a card. */
export const card: Layout<CardReference | null> = orNull(
  struct<CardReference>({ type: u8, nation: u8, number: ia5(16) }),
);

/** FullCardNumberAndGeneration. */
export const cardOfGeneration: Layout<CardReference | null> = orNull(
  struct<CardReference>({ type: u8, nation: u8, number: ia5(16), generation: u8 }),
);

function orNull(layout: Layout<CardReference>): Layout<CardReference | null> {
  return {
    size: layout.size,
    read(bytes, at, note) {
      const value = layout.read(bytes, at, note);
      return value.number === '' && (value.type === 0 || value.type === 0xff) ? null : value;
    },
    write(bytes, at, value) {
      if (value === null) bytes.fill(0, at, at + layout.size);
      else layout.write(bytes, at, value);
    },
  };
}

const UNKNOWN = 0x7f_ffff;

/** ±DDMM.M or ±DDDMM.M, in tenths of a minute. */
function degrees(raw: number): number {
  const size = Math.abs(raw);
  const value = Math.floor(size / 1000) + (size % 1000) / 600;
  return raw < 0 ? -value : value;
}

function tenthsOfMinutes(value: number): number {
  const tenths = Math.round(Math.abs(value) * 600);
  const raw = Math.floor(tenths / 600) * 1000 + (tenths % 600);
  return value < 0 ? -raw : raw;
}

const s24: Layout<number> = mapped(
  u24,
  (value) => (value << 8) >> 8,
  (value) => value & 0xff_ffff,
);

export const position: Layout<Position | null> = {
  size: 6,
  read(bytes, at, note) {
    const north = s24.read(bytes, at, note);
    const east = s24.read(bytes, at + 3, note);
    if (north === UNKNOWN || east === UNKNOWN) return null;
    const read = { latitude: degrees(north), longitude: degrees(east) };
    if (Math.abs(read.latitude) <= 90 && Math.abs(read.longitude) <= 180) return read;
    note(`a position of ${north}, ${east} is nowhere`);
    return null;
  },
  write(bytes, at, value) {
    s24.write(bytes, at, value === null ? UNKNOWN : tenthsOfMinutes(value.latitude));
    s24.write(bytes, at + 3, value === null ? UNKNOWN : tenthsOfMinutes(value.longitude));
  },
};

export const gnssPlace: Layout<GnssPlace> = struct<GnssPlace>({ time, accuracy: u8, position });
export const gnssPlaceAuthenticated: Layout<GnssPlace> = struct<GnssPlace>({
  time,
  accuracy: u8,
  position,
  authentication: u8,
});

export const placeFields = { time: ownTime, entryType: u8, country: u8, region: u8, odometerKm: odometer };
export const place: Layout<Place> = struct<Place>(placeFields);
export const placeWithGnss: Layout<Place> = struct<Place>({ ...placeFields, gnss: gnssPlace });

export const specificCondition: Layout<SpecificCondition> = struct<SpecificCondition>({ time: ownTime, type: u8 });

export const company: Layout<Company> = struct<Company>({ name: text(36), address: text(36) });
