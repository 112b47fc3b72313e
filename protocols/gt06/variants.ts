/**
 * Clones of the wire format, told apart by the message type and the length byte of each short frame, and sets of
 * models, told apart by the device option `model`. All of it is data; handlers and tables name what they need.
 */
export type Variant =
  | 'none'
  | 'VXT01'
  | 'S20'
  | 'SR411'
  | 'CARD'
  | 'BENWAY'
  | 'S5'
  | 'SPACE10X'
  | 'JC400'
  | 'SL4X'
  | 'SEEWORLD'
  | 'RFID'
  | 'LW4G'
  | 'TRX16I'
  | 'WETRUST'
  | 'OBD6';

interface VariantRow {
  readonly variant: Variant;
  readonly type: number;
  /** length byte: one of these, or all from `from` on */
  readonly lengths?: readonly number[];
  readonly from?: number;
}

const VARIANTS: readonly VariantRow[] = [
  { variant: 'VXT01', type: 0x12, lengths: [0x24] },
  { variant: 'VXT01', type: 0x16, lengths: [0x24] },
  { variant: 'S20', type: 0x24, lengths: [0x31] },
  { variant: 'SR411', type: 0x24, lengths: [0x2e] },
  { variant: 'CARD', type: 0x12, from: 0x71 },
  { variant: 'BENWAY', type: 0x12, lengths: [0x21] },
  { variant: 'S5', type: 0x12, lengths: [0x2b] },
  { variant: 'SPACE10X', type: 0x19, from: 0x17 },
  { variant: 'SL4X', type: 0x34, lengths: [0x37] },
  { variant: 'SL4X', type: 0x31, lengths: [0x2a] },
  { variant: 'SL4X', type: 0x32, lengths: [0x27, 0x29] },
  { variant: 'SEEWORLD', type: 0x22, lengths: [0x2f] },
  { variant: 'SEEWORLD', type: 0x16, lengths: [0x26] },
  { variant: 'SEEWORLD', type: 0xa3, lengths: [0x0c, 0x18] },
  { variant: 'RFID', type: 0x17, lengths: [0x28] },
  { variant: 'LW4G', type: 0xa2, lengths: [0x40] },
  { variant: 'TRX16I', type: 0x36, lengths: [0x35] },
  { variant: 'TRX16I', type: 0x16, lengths: [0x2d] },
  { variant: 'WETRUST', type: 0x12, lengths: [0x29] },
  { variant: 'OBD6', type: 0x13, lengths: [0x13] },
];

/** by type · 256 + length */
const byTypeAndLength = new Map<number, Variant>();
for (const { variant, type, lengths, from = 0x100 } of [...VARIANTS].reverse()) {
  for (let length = 0; length < 0x100; length++)
    if (length >= from || lengths?.includes(length)) byTypeAndLength.set(type * 256 + length, variant);
}

const CAMERA_ALARM = 0x95;

/** The variant of a short frame; of a long one it is always `none`. */
export function variantOf(bytes: Uint8Array, type: number, length: number): Variant {
  if (type === CAMERA_ALARM) return bytes[4] === 0xff && bytes[5] === 0xff ? 'JC400' : 'none';
  return byTypeAndLength.get(type * 256 + length) ?? 'none';
}

/** What models have in common that the wire does not show. */
export type ModelSet = 'none' | 'LW' | 'SW' | 'NT' | 'VL' | 'R11' | 'QH302R' | 'G109';

const MODELS: readonly { readonly set: ModelSet; readonly models: readonly string[] }[] = [
  { set: 'SW', models: ['SEEWORLD'] },
  { set: 'NT', models: ['NT11', 'NT20', 'NT26', 'NT40', 'NT46', 'VL100', 'XT40'] },
  { set: 'VL', models: ['VL103', 'LL303', 'VL512', 'G18'] },
  { set: 'R11', models: ['R11'] },
  { set: 'QH302R', models: ['QH302R'] },
  { set: 'G109', models: ['G109'] },
];
const setOfModel = new Map(MODELS.flatMap(({ set, models }) => models.map((model) => [model, set] as const)));

/** The set that a device option `model` belongs to. */
export function modelSetOf(model: unknown): ModelSet {
  if (typeof model !== 'string') return 'none';
  const name = model.toUpperCase();
  return name.startsWith('LW') ? 'LW' : (setOfModel.get(name) ?? 'none');
}
