import type { Attributes, Cell, Network } from '#codec';

/** Asset trackers of the TAT100: element ids of mnc, lac, cid and rssi of four cells. */
const TRIPLES = [
  ['io1200', 'io287', 'io288', 'io289'],
  ['io1201', 'io290', 'io291', 'io292'],
  ['io1202', 'io293', 'io294', 'io295'],
  ['io1203', 'io296', 'io297', 'io298'],
] as const;

/** 25501 → country 255, network 1. Below 1000 it says no country. */
export function splitOperator(operator: unknown): { mcc: number; mnc: number } {
  if (typeof operator !== 'number' || operator < 1000) return { mcc: 0, mnc: 0 };
  const digits = String(operator);
  return { mcc: Number(digits.slice(0, 3)), mnc: Number(digits.slice(3)) };
}

export const oneCell = (cell: Cell): Network => ({ cells: [cell] });

/** Takes the cells out of the attributes. */
export function cellTriples(attributes: Attributes): Network | undefined {
  const cells: Cell[] = [];
  for (const [mncKey, lacKey, cidKey, rssiKey] of TRIPLES) {
    const mnc = attributes[mncKey];
    const lac = attributes[lacKey];
    const cid = attributes[cidKey];
    const rssi = attributes[rssiKey];
    if (typeof mnc !== 'number' || typeof lac !== 'number' || typeof cid !== 'number') continue;
    cells.push({ mcc: 0, mnc, lac, cid, ...(typeof rssi === 'number' ? { rssi: 0 - rssi } : {}) });
    for (const key of [mncKey, lacKey, cidKey, rssiKey]) delete attributes[key];
  }
  return cells.length === 0 ? undefined : { cells };
}
