/** Device types as they stand behind the length of a message. Source: layouts of @Track HEX by model. */
const [GV320, GV55, GV55_LITE, GV300W, GV55N, GV55N_LITE, GV75, GV75W, GV55W] = [14, 15, 16, 39, 47, 57, 60, 65, 80];
const [GV600MG, GV600MA, GV350MA, GV600W] = [220, 237, 241, 252];

/** Cells have an identity of four bytes. */
export const WIDE_CELLS: ReadonlySet<number> = new Set([GV300W, GV75W, GV55W, GV600MG, GV600MA, GV350MA, GV600W]);

/** Country and network of a cell are binary numbers; a second supply stands behind the first one. */
export const GV600: ReadonlySet<number> = new Set([GV600MG, GV600MA, GV600W]);

/** Bit of the report mask for inputs and outputs of an expansion, each before those of the device. */
const EXPANSION_BIT = 26;
export const expansionBitOf = (device: number): number => (device === GV300W ? 25 : EXPANSION_BIT);

type Sizes = Readonly<Record<number, number>>;

/** Bytes of an event that are its own, where the device has no list. */
const OTHERS: Sizes = {
  6: 2,
  13: 4,
  14: 4,
  15: 3,
  17: 4,
  21: 5,
  23: 1,
  25: 2,
  26: 12,
  31: 2,
  33: 1,
  34: 3,
  35: 1,
  45: 7,
  46: 7,
};

/** low battery, ignition, update, idling, signal, which all have */
const ALL: Sizes = { 6: 2, 13: 4, 14: 4, 15: 3, 17: 4, 21: 5 };
/** fuel, outputs, fence, temperature, files */
const LARGE: Sizes = { ...ALL, 22: 9, 27: 2, 28: 12, 30: 13, 32: 2, 33: 1, 34: 12, 35: 4, 37: 3, 38: 40 };
const SMALL: Sizes = { ...ALL, 25: 2, 26: 10, 31: 2, 32: 1 };

const EVENTS = new Map<number, Sizes>([
  ...[GV55, GV55_LITE, GV55N, GV55N_LITE].map((device) => [device, SMALL] as const),
  [GV55W, { ...ALL, 20: 1, 25: 2, 26: 12, 32: 1, 33: 2, 39: 6, 40: 6, 41: 1, 42: 1 }],
  [GV75, LARGE],
  [GV75W, LARGE],
  [GV320, { ...LARGE, 28: 13 }],
  [GV300W, { ...LARGE, 20: 1, 22: 3, 28: 13, 32: 3, 40: 103, 41: 13, 45: 5, 46: 5, 48: 1, 49: 1, 50: 3, 60: 6, 61: 5 }],
  ...[GV600MG, GV600MA, GV600W].map((device) => [device, { ...LARGE, 40: 2, 45: 4, 46: 4 }] as const),
  [GV350MA, { ...LARGE, 22: 3, 28: 11, 39: 64, 40: 2, 41: 13, 50: 1 }],
]);

export const eventBytes = (device: number, event: number): number => (EVENTS.get(device) ?? OTHERS)[event] ?? 0;
