import { type AccessPoint, type Attributes, type Cell, type Network, type Position, statusOf } from '#codec';

/** What the parts of one record add up to. */
export interface Report {
  readonly attributes: Attributes;
  alarms: string[];
  readonly cells: Cell[];
  readonly wifi: AccessPoint[];
}

export const createReport = (): Report => ({ attributes: {}, alarms: [], cells: [], wifi: [] });

/** Attributes with the alarms' names in the order in which they were found. */
export function attributesOf(report: Report): Attributes {
  if (report.alarms.length > 0) report.attributes['alarm'] = report.alarms.join(',');
  return report.attributes;
}

/** Cells and access points of all items together, equal ones once. */
export function networkOf({ cells, wifi }: Report): Network | undefined {
  if (cells.length === 0 && wifi.length === 0) return undefined;
  return {
    ...(cells.length > 0 ? { cells: unique(cells, (c) => `${c.mcc}.${c.mnc}.${c.lac}.${c.cid}.${c.rssi}`) } : {}),
    ...(wifi.length > 0 ? { wifi: unique(wifi, (w) => `${w.mac}.${w.rssi}`) } : {}),
  };
}

function unique<T>(entries: readonly T[], key: (entry: T) => string): T[] {
  return [...new Map(entries.map((entry) => [key(entry), entry])).values()];
}

/** A record without a fix of its own. */
export const outdated = (report: Report, deviceTime?: number): Position =>
  statusOf(attributesOf(report), deviceTime, networkOf(report));
