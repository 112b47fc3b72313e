import { luhnDigit, type Reader } from '#codec';

/** Ranges of IMEIs that the vendor's short ids count from. Source: protocol document, unit id. */
const RANGES: readonly ((unit: number) => number)[] = [
  (unit) => 353_234_015_223_808 + unit,
  (unit) => 358_244_010_000_000 + ((unit + 688_512) % 0x100_0000),
  (unit) => 355_631_999_483_904 + unit,
];

const isImei = (imei: number): boolean => imei % 10 === luhnDigit(String(Math.floor(imei / 10)));

/** Seven bytes are an IMEI; of three, the range whose check digit fits. */
export function readUnit(reader: Reader, isLong: boolean): string {
  if (isLong) return String(reader.u24() * 0x1_0000_0000 + reader.u32());
  const unit = reader.u24();
  const imei = unit === 0 ? undefined : RANGES.map((range) => range(unit)).find(isImei);
  return String(imei ?? unit);
}
