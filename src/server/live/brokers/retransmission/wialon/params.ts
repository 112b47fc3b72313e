import type { Report } from '../report.ts';

/** A value with a name, as both protocols of Wialon have them. */
export interface Param {
  readonly name: string;
  readonly value: string | number;
}

/** Names that the document of Wialon Retranslator 1.0 gives. */
const NAMES: Readonly<Record<string, string>> = { power: 'pwr_ext', ignition: 'ign', rssi: 'gsm' };
/** alarms for which both protocols have one mark */
const MARKED = new Set(['sos', 'general']);
export const isMarked = ({ alarms }: Report): boolean => alarms.some((alarm) => MARKED.has(alarm));

const MAX_NAME = 38;
const MAX_TEXT = 1_344;

/** Small letters, digits and `_`: other characters separate fields, or are not allowed. */
function nameOf(key: string): string {
  const name = key.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase();
  return name.replace(/[^a-z0-9_.-]/g, '_').slice(0, MAX_NAME);
}

/** Characters that separate fields of IPS, and the zero that ends texts of Retranslator, become spaces. */
const textOf = (value: string): string => value.replace(/[;,|#\r\n\0]/g, ' ').slice(0, MAX_TEXT);

/** Attributes that have no field of their own, alarms and cells. */
export function paramsOf({ attributes, alarms, cells }: Report, hasField: (key: string) => boolean): Param[] {
  const params: Param[] = [];
  for (const [key, value] of Object.entries(attributes)) {
    if (hasField(key) || (typeof value === 'number' && !Number.isFinite(value))) continue;
    params.push({
      name: NAMES[key] ?? nameOf(key),
      value: typeof value === 'string' ? textOf(value) : Number(value),
    });
  }
  const named = alarms.filter((alarm) => !MARKED.has(alarm));
  if (named.length > 0) params.push({ name: 'alarm', value: textOf(named.join(' ')) });
  for (const [at, { mcc, mnc, lac, cid }] of cells.entries()) {
    const number = at === 0 ? '' : at;
    params.push({ name: `mcc${number}`, value: mcc }, { name: `mnc${number}`, value: mnc });
    params.push({ name: `lac${number}`, value: lac }, { name: `cell_id${number}`, value: cid });
  }
  return params.filter(({ value }) => value !== '');
}
