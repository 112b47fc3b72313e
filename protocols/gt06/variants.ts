/**
 * Clones of the wire format, distinguished by the message type and the length byte of each short frame, and sets of
 * models, distinguished by the device option `model`. Layouts and alarm codes name those that differ.
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
  | 'WIDE'
  | 'RFID'
  | 'LW4G'
  | 'TRX16I'
  | 'WETRUST'
  | 'GT06V4'
  | 'OBD6';

export interface VariantRow {
  readonly variant: Variant;
  readonly type: number;
  /** length byte: one of these, or all from `from` on */
  readonly lengths?: readonly number[];
  readonly from?: number;
}

/** JC400 is known otherwise: its camera alarms (95) begin with FFFF. */
export const VARIANTS: readonly VariantRow[] = [
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
  { variant: 'WIDE', type: 0x31, lengths: [0x24] },
  { variant: 'SL4X', type: 0x32, lengths: [0x27, 0x29] },
  { variant: 'SEEWORLD', type: 0x22, lengths: [0x2f] },
  { variant: 'SEEWORLD', type: 0x16, lengths: [0x26] },
  { variant: 'SEEWORLD', type: 0xa3, lengths: [0x0c, 0x18] },
  { variant: 'RFID', type: 0x17, lengths: [0x28] },
  { variant: 'LW4G', type: 0xa2, lengths: [0x40] },
  { variant: 'TRX16I', type: 0x36, lengths: [0x35] },
  { variant: 'TRX16I', type: 0x16, lengths: [0x2d] },
  { variant: 'WETRUST', type: 0x12, lengths: [0x29] },
  { variant: 'GT06V4', type: 0x32, lengths: [0x2f] },
  { variant: 'OBD6', type: 0x13, lengths: [0x13] },
];

/** What models have in common that the wire does not show. LW: all models whose name begins so. */
export type ModelSet = 'none' | 'LW' | 'SW' | 'NT' | 'VL' | 'R11' | 'QH302R' | 'G109' | 'S5' | 'VXT01';

/** Models whose locations (12) show what their other messages, which look like those of all, are to be read as. */
export const SHOWN_BY: Partial<Record<Variant, ModelSet>> = { S5: 'S5', VXT01: 'VXT01' };

export const MODELS: Readonly<Record<string, ModelSet>> = {
  SEEWORLD: 'SW',
  NT11: 'NT',
  NT20: 'NT',
  NT26: 'NT',
  NT40: 'NT',
  NT46: 'NT',
  VL100: 'NT',
  XT40: 'NT',
  VL103: 'VL',
  LL303: 'VL',
  VL512: 'VL',
  G18: 'VL',
  R11: 'R11',
  QH302R: 'QH302R',
  G109: 'G109',
  S5: 'S5',
  VXT01: 'VXT01',
};
