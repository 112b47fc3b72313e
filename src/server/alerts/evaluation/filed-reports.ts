import type { FileRow, HistoryReader } from '../../history/index.ts';
import type { ReportPlace } from '../rules/index.ts';
import { bytesOfId, type ReportRow } from './report.ts';

export interface ReportPage {
  readonly after: ReportPlace;
  readonly limit: number;
  /** epoch ms, included; undefined: no end */
  readonly to?: number;
}

const LATEST = Date.UTC(9999, 0);

/**
 * A page of a device's rows with the reports that are in files, in order. The rows were read before: a report that is
 * moved to a file meanwhile is in one of them at least.
 */
export async function withFiled(
  history: HistoryReader | undefined,
  { tenantId, deviceId }: { readonly tenantId: number; readonly deviceId: number },
  { after, limit, to = LATEST }: ReportPage,
  rows: ReportRow[],
): Promise<ReportRow[]> {
  if (history === undefined) return rows;
  const last = rows.length === limit ? rows.at(-1)!.time : to;
  const found = await history.find(tenantId, { deviceId, from: after.at, to: last });
  if (found.files.length === 0) return rows;
  const place = { time: after.at, id: bytesOfId(after.id) };
  const filed = (await history.readRows(found, { after: place, limit, isSuspect: false })).map(toReport);
  const all = [...new Map([...filed, ...rows].map((row) => [row.id, row])).values()];
  return all.sort((a, b) => a.time - b.time || bytesOfId(a.id).compare(bytesOfId(b.id))).slice(0, limit);
}

const toReport = ({ id, time, serverTime, valid, outdated, attributes, ...row }: FileRow): ReportRow => ({
  id: id.toString('base64url').slice(0, 22),
  time,
  serverTime,
  valid,
  outdated,
  attributes,
  latitude: row.latitude ?? undefined,
  longitude: row.longitude ?? undefined,
  speed: row.speed ?? undefined,
  course: row.course ?? undefined,
  ignition: row.ignition ?? undefined,
});
