import type pg from 'pg';
import type { FeedPosition } from '../../ingest/feed/index.ts';
import type { ReportReader } from '../reported/index.ts';
import { type Fence, insideOf, presenceAfter } from './inside.ts';
import * as store from './store.ts';

/** Tenants whose geofences are kept ready. */
const MOST_TENANTS = 1_000;

type Fix = { readonly at: number; readonly latitude: number; readonly longitude: number };

/** Keeps in which geofences each device is, by its newest fix. Late fixes change nothing. */
export function createPresence(): ReportReader {
  // the least recently read tenant comes first
  const known = new Map<number, { readonly stamp: string; readonly fences: readonly Fence[] }>();
  const fencesOf = async (tx: pg.PoolClient, tenantId: number, stamp: string): Promise<readonly Fence[]> => {
    const before = known.get(tenantId);
    const fences =
      before?.stamp === stamp
        ? before.fences
        : (await store.readAreas(tx, tenantId)).map(({ id, area }) => ({ id, isInside: insideOf(area) }));
    known.delete(tenantId);
    if (known.size >= MOST_TENANTS) known.delete(known.keys().next().value!);
    known.set(tenantId, { stamp, fences });
    return fences;
  };
  return {
    async take(tx, positions) {
      const devices = byDevice(positions);
      if (devices.size === 0) return;
      const stamps = await store.readStamps(tx, [...new Set([...devices.values()].map(({ tenantId }) => tenantId))]);
      const before = await store.readPresence(tx, [...devices.keys()]);
      const found: Parameters<typeof store.writePresence>[1][number][] = [];
      for (const [deviceId, { tenantId, fixes }] of devices) {
        const stamp = stamps.get(tenantId);
        const last = before.get(deviceId);
        const newer = fixes.filter(({ at }) => at > (last?.at ?? Number.NEGATIVE_INFINITY)).sort((a, b) => a.at - b.at);
        // a tenant without geofences has rows only of those that it had
        if (newer.length === 0 || (stamp === undefined && last === undefined)) continue;
        const fences = stamp === undefined ? [] : await fencesOf(tx, tenantId, stamp);
        const inside = newer.reduce((presence, fix) => presenceAfter(presence, fences, fix), last?.inside ?? {});
        found.push({ deviceId, tenantId, at: newer.at(-1)!.at, inside });
      }
      if (found.length > 0) await store.writePresence(tx, found);
    },
  };
}

function byDevice(positions: readonly FeedPosition[]) {
  const devices = new Map<number, { readonly tenantId: number; readonly fixes: Fix[] }>();
  for (const { deviceId, tenantId, time, valid, outdated, latitude, longitude } of positions) {
    if (!valid || outdated || latitude === undefined || longitude === undefined) continue;
    const device = devices.get(deviceId) ?? { tenantId, fixes: [] };
    devices.set(deviceId, device);
    device.fixes.push({ at: time, latitude, longitude });
  }
  return devices;
}
