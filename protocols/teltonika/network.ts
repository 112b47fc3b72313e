import type { Attributes, Cell, Network } from '#codec';
import { cellTriples } from './elements.ts';

/** 25501 → country 255, network 1. Below 1000 it says no country. */
export function splitOperator(operator: unknown): { mcc: number; mnc: number } {
  if (typeof operator !== 'number' || operator < 1000) return { mcc: 0, mnc: 0 };
  const digits = String(operator);
  return { mcc: Number(digits.slice(0, 3)), mnc: Number(digits.slice(3)) };
}

/** Takes the neighbour cells of an asset tracker out of the attributes, and puts them behind the serving one. */
export function takeCells(attributes: Attributes, serving: Network | undefined): Network | undefined {
  const cells: Cell[] = [...(serving?.cells ?? [])];
  const { mcc } = splitOperator(attributes['operator']);
  for (const keys of cellTriples) {
    const [mnc, lac, cid, rssi] = keys.map((key) => attributes[key]);
    if (typeof mnc !== 'number' || typeof lac !== 'number' || typeof cid !== 'number') continue;
    cells.push({ mcc, mnc, lac, cid, ...(typeof rssi === 'number' ? { rssi: 0 - rssi } : {}) });
    for (const key of keys) delete attributes[key];
  }
  return cells.length === 0 ? undefined : { cells };
}
