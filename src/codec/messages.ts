/** What a frame can mean. A closed union: the gateway knows every kind. Times are epoch milliseconds, UTC. */
export type Message = Login | Position | Heartbeat | Answer | FileChunk;

/**
 * The device says who it is. `ids` has the canonical id first, then other spellings of it (JT808: without and with
 * leading zeros). A frame that carries an identity always says login, as its
 * first message; the gateway ignores one that it knows.
 */
interface Login {
  readonly type: 'login';
  readonly ids: readonly [string, ...string[]];
  /** if the login carries one */
  readonly password?: string;
}

export type AttributeValue = string | number | boolean;
export type Attributes = Record<string, AttributeValue>;

export interface Cell {
  readonly mcc: number;
  readonly mnc: number;
  readonly lac: number;
  readonly cid: number;
  /** dBm, negative, or the device's own scale */
  readonly rssi?: number;
}

export interface AccessPoint {
  readonly mac: string;
  readonly rssi?: number;
}

export interface Network {
  readonly cells?: readonly Cell[];
  readonly wifi?: readonly AccessPoint[];
}

/**
 * One record of the device. With `outdated` it carries no fix of its own (a status, a heartbeat with values, a
 * network-only report) and the fix fields are absent; without it all of them are there.
 */
export interface Position {
  readonly type: 'position';
  /** if one connection carries many devices; default: the device of the session */
  readonly deviceId?: string;
  /** clock of the device when it made the record */
  readonly deviceTime?: number;
  /** time of the satellite fix */
  readonly fixTime?: number;
  readonly valid: boolean;
  readonly outdated?: true;
  /** degrees, WGS 84 */
  readonly latitude?: number;
  readonly longitude?: number;
  /** m above mean sea level */
  readonly altitude?: number;
  /** km/h */
  readonly speed?: number;
  /** degrees clockwise from true north, 0 to 360 */
  readonly course?: number;
  /** m */
  readonly accuracy?: number;
  readonly network?: Network;
  /** keys of the vocabulary, further ones in camelCase; scalars only */
  readonly attributes: Attributes;
}

/** A heartbeat without values. */
interface Heartbeat {
  readonly type: 'heartbeat';
  readonly deviceId?: string;
}

/**
 * The device answers a command: by `ticket` where the protocol carries one, otherwise the oldest that is open.
 * `outcome` is `refused` only where the device says so.
 */
export interface Answer {
  readonly type: 'answer';
  readonly deviceId?: string;
  readonly ticket?: string;
  readonly outcome: 'done' | 'refused';
  readonly text?: string;
  /** if the answer is not text */
  readonly bytes?: Uint8Array;
  /** name of the command that it answers, if the answer carries one; compared with `commandName` of the protocol */
  readonly command?: string;
}

/** A piece of a photo, video or sound; the gateway puts the pieces of one `name` together. */
export interface FileChunk {
  readonly type: 'file';
  readonly deviceId?: string;
  /** unique per device and file */
  readonly name: string;
  readonly media: 'image' | 'video' | 'audio' | 'other';
  readonly offset: number;
  /** whole size in bytes, where known */
  readonly total?: number;
  readonly bytes: Uint8Array;
  readonly last?: true;
}
