import { type Attributes, readOptional } from '#codec';
import { type Fields, type Item, item, parseDecimal } from '#codec/text';

const HEX = /^[0-9A-Fa-f]{1,12}$/;

/** Data of what is wired to the serial line. */
export const serialData: Item = item((fields, { draft }) => {
  let isWhole = false;
  readOptional(() => {
    readSerialData(fields, draft.attributes);
    isWhole = true;
  });
  return isWhole;
});

/** Length, items, checksum. */
function readSerialData(fields: Fields, attributes: Attributes): void {
  let remaining = fields.integer();
  let fuel = 0;
  while (remaining > 0) {
    const item = fields.text();
    fuel += readItem(item, attributes);
    remaining -= item.length + 1;
  }
  if (fuel > 0) attributes['fuel'] = fuel;
  // checksum
  fields.skip();
}

/** Liters in the item. */
function readItem(item: string, attributes: Attributes): number {
  if (item.startsWith('CabAVL')) return readCabin(item, attributes);
  if (item.startsWith('GTSL')) {
    const driver = item.split('|', 5)[4];
    if (driver) attributes['driverUniqueId'] = driver;
    return 0;
  }
  if (item.includes('=')) return readPair(item, attributes);
  attributes['serial'] = item.trim();
  return 0;
}

function readCabin(item: string, attributes: Attributes): number {
  const values = item.split(',', 4);
  let litres = 0;
  for (const tank of [1, 2]) {
    const value = parseDecimal(values[tank + 1] ?? '') ?? 0;
    if (value <= 0) continue;
    attributes[`fuel${tank}`] = value;
    litres += value;
  }
  return litres;
}

/** `t_0=1C`: temperatures; `N_0=0419.0`: litres; `Q_D=09`: how well one drives. All hexadecimal. */
function readPair(item: string, attributes: Attributes): number {
  const at = item.indexOf('=');
  const text = item
    .slice(at + 1)
    .trim()
    .split('.', 1)[0]!;
  if (!HEX.test(text)) return 0;
  const value = Number.parseInt(text, 16);
  const place = item[1] === '_' ? item[2]! : '';
  if (item[0] === 'Q') attributes['drivingQuality'] = value;
  if (place < '0' || place > '9') return 0;
  if (item[0] === 't') attributes[`temp${place}`] = value;
  if (item[0] !== 'N') return 0;
  attributes[`fuel${place}`] = value;
  return value;
}
