import type { Attributes, AttributeValue, DeviceOptions, NamedValue } from '#codec';
import { dialectOf } from '../models.ts';
import { allcan } from './allcan.ts';
import { assets } from './assets.ts';
import { bluetooth } from './bluetooth.ts';
import { can } from './can.ts';
import { device } from './device.ts';
import { events } from './events.ts';
import { fmc650 } from './fmc650.ts';
import { fms } from './fms.ts';
import type { ElementName } from './form.ts';
import { isobus } from './isobus.ts';
import { lvcan } from './lvcan.ts';
import { obd } from './obd.ts';
import { periphery } from './periphery.ts';
import { professional } from './professional.ts';
import { tachograph } from './tachograph.ts';
import { tft100 } from './tft100.ts';
import { tst100 } from './tst100.ts';

/**
 * What the vendor calls each element, by product (wiki.teltonika-gps.com, "Teltonika Data Sending Parameters ID").
 * Most ids mean the same everywhere; the lines below number some of theirs anew.
 */
const common = [device, events, can, allcan, lvcan, fms, obd, isobus, bluetooth, tachograph, periphery];

const lines: readonly { readonly models: RegExp; readonly elements: readonly ElementName[] }[] = [
  { models: /^FM.6[45]/, elements: professional },
  { models: /^FMC650/, elements: fmc650 },
  { models: /^(?:GH5200|T[AMFS]T)/, elements: assets },
  { models: /^TFT100/, elements: tft100 },
  { models: /^TST100/, elements: tst100 },
];

type Names = ReadonlyMap<number, ElementName>;

const mapOf = (...lists: readonly (readonly ElementName[])[]): Names =>
  new Map(lists.flatMap((list) => list.map((element) => [element[0], element] as const)));

/** by which lines a model belongs to, made when it is first asked for */
const known = new Map<string, Names>();

function namesOf(model: string): Names {
  const own = lines.filter(({ models }) => models.test(model));
  const key = own.map(({ models }) => models.source).join();
  let names = known.get(key);
  if (names === undefined) {
    names = mapOf(...common, ...own.map(({ elements }) => elements));
    known.set(key, names);
  }
  return names;
}

const BITS: Readonly<Record<string, number>> = { i8: 8, i16: 16, i32: 32 };

/** The vendor's name, the scaled value and its unit for each element that the attributes hold, by its name. */
export function named(attributes: Attributes, { model }: DeviceOptions): Readonly<Record<string, NamedValue>> {
  const names = namesOf(typeof model === 'string' ? model : '');
  const { rows } = dialectOf(model);
  const found: Record<string, NamedValue> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const id = /^io(\d{1,5})$/.exec(key)?.[1];
    if (id !== undefined) add(found, names.get(Number(id)), value);
  }
  for (const [id, row] of rows.entries()) {
    const value = row === undefined ? undefined : attributes[row.key];
    // The vocabulary's unit is not always the vendor's: back to the raw value, then to what the vendor's scale makes.
    if (value !== undefined) add(found, names.get(id), typeof value === 'number' ? value * row!.divide : value);
  }
  return found;
}

function add(found: Record<string, NamedValue>, element: ElementName | undefined, value: AttributeValue): void {
  if (element === undefined) return;
  const [id, name, form, scale = 1, unit = ''] = element;
  const raw = typeof value === 'boolean' ? Number(value) : value;
  const scaled = typeof raw === 'number' ? tidy(signed(raw, form) * scale) : raw;
  found[name in found ? `${name} (${id})` : name] = unit === '' ? { id, value: scaled } : { id, value: scaled, unit };
}

/** Attributes hold a raw number unsigned. */
function signed(raw: number, form: string): number {
  const bits = BITS[form];
  return bits !== undefined && raw >= 2 ** (bits - 1) && raw < 2 ** bits ? raw - 2 ** bits : raw;
}

/** Without the last bits of a product of fractions: 12.601, not 12.601000000000001. */
const tidy = (value: number): number => Number(value.toPrecision(12));
