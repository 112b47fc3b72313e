/**
 * A position as gateway, spool and API exchange it: numbers at fixed offsets, so that they are stored
 * without parsing text. Big-endian, doubles (IEEE 754), times in epoch ms; what is absent is 0 and has no bit.
 *
 *      0  16 bytes  identity: 5 bytes of a hash of the record, 5 of one of the device's id, 6 of the time (ms)
 *     16  double    server time
 *     24  u8        layout, 1
 *     25  u8        flags
 *     26  u16       which of the optional ones there are
 *     28  double    device time, then fix time, latitude, longitude, altitude, speed, course, accuracy
 *     92  u8        length of the device's id
 *     93  u8        length of the protocol's name
 *     94  u16       0
 *     96  u32       length of the network as JSON text
 *    100  u32       length of the attributes as JSON text
 *    104  …         device id, protocol, network, attributes, in UTF-8
 */
export const LAYOUT = 1;
export const HEAD_BYTES = 104;
export const ID_BYTES = 16;

/** Where the parts of an identity begin, behind the hash of the record. */
export const ID = { device: 5, time: 10 } as const;

export const AT = {
  id: 0,
  serverTime: 16,
  layout: 24,
  flags: 25,
  present: 26,
  deviceTime: 28,
  fixTime: 36,
  latitude: 44,
  longitude: 52,
  altitude: 60,
  speed: 68,
  course: 76,
  accuracy: 84,
  deviceLength: 92,
  protocolLength: 93,
  reserved: 94,
  networkLength: 96,
  attributesLength: 100,
} as const;

export const FLAG = {
  valid: 1,
  outdated: 2,
  /** the attributes report the ignition … */
  ignitionKnown: 4,
  /** … and it is on */
  ignitionOn: 8,
  /** the JSON texts contain `\u`: characters that not every database accepts */
  escaped: 16,
} as const;

export const PRESENT = {
  deviceTime: 1,
  fixTime: 2,
  latitude: 4,
  longitude: 8,
  altitude: 16,
  speed: 32,
  course: 64,
  accuracy: 128,
  network: 256,
} as const;

/** Optional numbers, in the order of the JSON text. */
export const NUMBERS = ['latitude', 'longitude', 'altitude', 'speed', 'course', 'accuracy'] as const;
