import type { Attributes, Cell, Network } from '#codec';
import { cellTriples } from './elements.ts';

/** 25501 → country 255, network 1. Below 1000 it says no country. */
export function splitOperator(operator: unknown): { mcc: number; mnc: number } {
  if (typeof operator !== 'number' || operator < 1000) return { mcc: 0, mnc: 0 };
  const digits = String(operator);
  return { mcc: Number(digits.slice(0, 3)), mnc: Number(digits.slice(3)) };
}

/** Takes the cells of an asset tracker out of the attributes. */
export function takeCells(attributes: Attributes): Network | undefined {
  const cells: Cell[] = [];
  for (const keys of cellTriples) {
    const [mnc, lac, cid, rssi] = keys.map((key) => attributes[key]);
    if (typeof mnc !== 'number' || typeof lac !== 'number' || typeof cid !== 'number') continue;
    cells.push({ mcc: 0, mnc, lac, cid, ...(typeof rssi === 'number' ? { rssi: 0 - rssi } : {}) });
    for (const key of keys) delete attributes[key];
  }
  return cells.length === 0 ? undefined : { cells };
}
