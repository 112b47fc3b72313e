/**
 * Types shared by records of cards and units. Times are seconds since 1970 in UTC, `null` where the file has
 * no time; distances are kilometers, speeds km/h. Codes of the regulation are kept as numbers, including those without a name;
 * their names are in `codes.ts`.
 */

export type Seconds = number;
export type Activity = 'rest' | 'availability' | 'work' | 'driving';
export type Slot = 'driver' | 'co-driver';
export type Generation = 'G1' | 'G2v1' | 'G2v2';
export type CardKind = 'driver-card' | 'workshop-card' | 'control-card' | 'company-card';

/** A problem of the file. The rest of the file is read nevertheless. */
export interface Finding {
  readonly code:
    | 'truncated'
    | 'damaged'
    | 'unknown-block'
    | 'duplicate'
    | 'wrong-size'
    | 'count-mismatch'
    | 'bad-pointer'
    | 'broken-chain'
    | 'bad-date'
    | 'duplicate-day'
    | 'unsorted-activities'
    | 'code-page'
    | 'future-time';
  /** FID or TREP in hexadecimal, with the section where one is needed: `gen2/0504`, `7602`. */
  readonly where: string;
  /** Bytes from the start of the file, where that is known. */
  readonly offset?: number;
  readonly detail: string;
}

export type SignatureStatus = 'valid' | 'invalid' | 'unsigned' | 'unverifiable';

/** The signature check of one elementary file of a card (`file` is its FID, `0504`) or one block of a unit (`7602`). */
export interface SignatureResult {
  readonly file: string;
  readonly verdict: SignatureStatus;
  /** Why it is not `valid`. */
  readonly reason?: string;
  /** Where the block begins; blocks of a unit repeat. */
  readonly offset?: number;
  /** `yyyy-mm-dd` of a day of a unit. */
  readonly date?: string;
}

export interface VehicleRegistration {
  readonly nation: number;
  readonly number: string;
}

/** A card as vehicle units and control records name it. `generation` is known in generation-2 unit records only. */
export interface CardReference {
  readonly type: number;
  readonly nation: number;
  /** 16 characters: for drivers 14 of the person, then replacement and renewal index. */
  readonly number: string;
  readonly generation?: number;
}

/**
 * One ActivityChangeInfo word: from `minute` on (of the UTC day) the slot is in this state. On a card `slot` is where
 * the card was; in a unit, which of the two slots changed.
 */
export interface ActivityChange {
  /** 0 to 1439 in valid data; all 11 bits are read. */
  readonly minute: number;
  readonly activity: Activity;
  readonly slot: Slot;
  /** A card is in the slot. */
  readonly inserted: boolean;
  /** With a card: two drivers. Without: the activity is a manual entry, and is known. */
  readonly status: 'single' | 'crew' | 'unknown' | 'manual';
}

/** One day of a driver's card, UTC. The newest day of a file continues after the download. */
export interface ActivityDay {
  /** `yyyy-mm-dd` */
  readonly date: string;
  readonly presenceCounter: number;
  readonly distanceKm: number;
  readonly changes: readonly ActivityChange[];
}

export interface Position {
  /** Degrees. */
  readonly latitude: number;
  readonly longitude: number;
}

export interface GnssPlace {
  readonly time: Seconds | null;
  readonly accuracy: number;
  readonly position: Position | null;
  /** Whether the signal was authenticated: in most records of generation 2 version 2. */
  readonly authentication?: number;
}

/** Where a daily work period began (even entry type) or ended (odd). */
export interface Place {
  readonly time: Seconds;
  readonly entryType: number;
  readonly country: number;
  readonly region: number;
  readonly odometerKm: number | null;
  /** Generation 2. */
  readonly gnss?: GnssPlace;
}

export interface SpecificCondition {
  readonly time: Seconds;
  /** 1 out of scope begins, 2 ends, 3 ferry or train (generation 2: begins), 4 ferry or train ends. */
  readonly type: number;
}

/** Written every three hours of accumulated driving. */
export interface GnssRecord {
  readonly time: Seconds;
  readonly gnss: GnssPlace;
  readonly odometerKm: number | null;
}

export interface BorderCrossing {
  readonly countryLeft: number;
  readonly countryEntered: number;
  readonly gnss: GnssPlace;
  readonly odometerKm: number | null;
}

export interface LoadUnload {
  readonly time: Seconds;
  /** 1 load, 2 unload, 3 both. */
  readonly operation: number;
  readonly gnss: GnssPlace;
  readonly odometerKm: number | null;
}

export interface Company {
  readonly name: string;
  readonly address: string;
}
