import { MODELS, type ModelSet, VARIANTS, type Variant } from './variants.ts';

/** by type · 256 + length; the first row counts */
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

const setOfModel = new Map(Object.entries(MODELS));

/** The set that a device option `model` belongs to. */
export function modelSetOf(model: unknown): ModelSet {
  if (typeof model !== 'string') return 'none';
  const name = model.toUpperCase();
  return name.startsWith('LW') ? 'LW' : (setOfModel.get(name) ?? 'none');
}
