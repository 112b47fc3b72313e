/**
 * What records of cards and of units have in common. Times are seconds since 1970 in UTC, `null` where the file holds
 * none; distances are kilometres, speeds km/h. Codes of the regulation stay numbers, also those that nobody has named
 * yet: names for people are in `codes.ts`.
 */

export type Seconds = number;
export type Activity = 'rest' | 'availability' | 'work' | 'driving';
export type Slot = 'driver' | 'co-driver';
export type Generation = 'G1' | 'G2v1' | 'G2v2';
export type CardKind = 'driver-card' | 'workshop-card' | 'control-card' | 'company-card';

/** Something about the file that is not as it should be. The rest of the file is read all the same. */
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
    | 'code-page';
  /** FID or TREP in hexadecimal, with the section where one is needed: `gen2/0504`, `7602`. */
  readonly where: string;
  /** Bytes from the start of the file, where that is known. */
  readonly offset?: number;
  readonly detail: string;
}

export type Verdict = 'valid' | 'invalid' | 'unsigned' | 'unverifiable';

/** The verdict on one elementary file of a card (`file` is its FID, `0504`) or one block of a unit (`7602`). */
export interface SignatureVerdict {
  readonly file: string;
  readonly verdict: Verdict;
  /** Why it is not `valid`. */
  readonly reason?: string;
  /** Where the block begins; blocks of a unit repeat. */
  readonly offset?: number;
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
 * One ActivityChangeInfo word: from `minute` on (of the UTC day) the slot is as it says. On a card `slot` says where
 * the card was; in a unit, which of the two slots the word is about.
 */
export interface ActivityChange {
  /** 0 to 1439 in sound data; 11 bits are read as they are. */
  readonly minute: number;
  readonly activity: Activity;
  readonly slot: Slot;
  /** A card is in the slot. */
  readonly inserted: boolean;
  /** With a card: two drivers. Without: the activity was entered by hand, and is known. */
  readonly status: 'single' | 'crew' | 'unknown' | 'manual';
}

/** One day of a driver's card, UTC. The newest day of a file goes on after the download. */
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
