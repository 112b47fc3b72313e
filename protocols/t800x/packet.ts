import { Reader, toHex, utcFromParts } from '#codec';

/** Heads of the frames, by family of devices. */
export const OLD = 0x2323;
export const VEHICLE = 0x2525;
export const OBD = 0x2626;
export const ASSET = 0x2727;

export const HEADER_BYTES = 15;

export interface State {
  /** of the newest frame: commands begin with it */
  readonly head: number;
}

/** One message on its way. */
export interface Packet {
  readonly head: number;
  readonly type: number;
  readonly serial: number;
  /** over the payload */
  readonly reader: Reader;
  readonly model: unknown;
}

/** The payload is everything behind the header: what is left decides which fields there are. */
export const openPacket = (bytes: Uint8Array, model: unknown): Packet => {
  const reader = new Reader(bytes);
  const head = reader.u16();
  const type = reader.u8();
  reader.skip(2);
  const serial = reader.u16();
  reader.skip(8);
  return { head, type, serial, reader, model };
};

/** 15 digits in 8 bytes; the first nibble is not a digit. */
export const identityOf = (bytes: Uint8Array): string => toHex(bytes, 7, HEADER_BYTES).slice(1);

/** Two decimal digits a byte, whatever the nibbles hold. */
export const bcd16 = (reader: Reader): number => reader.bcd() * 100 + reader.bcd();

const NEVER_SET = utcFromParts(80, 1, 1, 0, 0, 0);
/** Two digits of the year: the clock of a receiver that has never had a fix counts from January 1980. */
export const isTime = (time: number): boolean => time < NEVER_SET;

const utf16 = new TextDecoder('utf-16le');
export const readUtf16 = (reader: Reader, count: number): string => utf16.decode(reader.view(count));
