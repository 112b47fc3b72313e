import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { type Cursors, toInstantOrNull, toPage } from '../../../kernel/http/index.ts';
import { explain, type Reason } from '../explain.ts';
import { notFound } from '../ids.ts';
import { presentAll } from '../present.ts';
import type { CommandView } from '../schema.ts';
import { findCommands, findHistory } from '../store.ts';
import * as store from './store.ts';

export interface Explanation {
  readonly commandId: string;
  readonly reason: string;
}

export interface PendingOfDevice {
  imei: string;
  online: boolean;
  sessionSince: string | null;
  inFlight: string | null;
  items: CommandView[];
  nextCursor: string | null;
  oldestAgeMs: number | null;
  explain: Explanation[];
}

export interface PendingService {
  /** In the order of delivery; without a limit all of them. Throws AppError `unknown-device`, `bad-cursor`. */
  ofDevice(
    tenantId: number,
    imei: string,
    query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
  ): Promise<PendingOfDevice>;
  /** By device. Commands in flight are explained, and count towards the limit. Throws AppError `bad-cursor`. */
  ofAll(
    tenantId: number,
    query: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<{
    items: CommandView[];
    nextCursor: string | null;
    oldestAgeMs: number | null;
    explain: Explanation[];
  }>;
}

export function createPendingService(app: pg.Pool, cursors: Cursors, clock: Clock): PendingService {
  const view = async (tenantId: number, ids: readonly string[]): Promise<CommandView[]> => {
    const [rows, history] = await Promise.all([findCommands(app, tenantId, ids), findHistory(app, tenantId, ids)]);
    const views = new Map(presentAll(rows, history).map((command) => [command.commandId, command]));
    // commands that have been sent in the meantime are left out
    return ids.flatMap((id) => {
      const found = views.get(id);
      return found?.status === 'pending' ? [found] : [];
    });
  };
  const toExplanations = (items: readonly CommandView[], reasons: ReadonlyMap<string, Reason>): Explanation[] =>
    items.map(({ commandId }) => ({ commandId, reason: reasons.get(commandId) ?? 'queue-down' }));
  const ageOf = (items: readonly { readonly createdAt: string | number }[]): number | null => {
    const oldest = items.reduce((min, { createdAt }) => Math.min(min, new Date(createdAt).getTime()), clock.now());
    return items.length === 0 ? null : Math.max(0, clock.now() - oldest);
  };
  return {
    async ofDevice(tenantId, imei, { limit = Number.POSITIVE_INFINITY, cursor } = {}) {
      const device = await store.findDevice(app, tenantId, imei);
      if (device === undefined) throw notFound(imei);
      const pending = await store.findPending(app, tenantId, [device.id]);
      const filter = ['pending-of', tenantId, device.id];
      const after = cursor === undefined ? undefined : (cursors.read(cursor, filter) as [number, number]);
      const left = after === undefined ? pending : pending.filter((row) => isBehind(row, after));
      const { items: ids, nextCursor } = toPage(
        left,
        limit,
        ({ id }) => id,
        ({ priority, seq }) => cursors.write([priority, seq], filter),
      );
      const items = await view(tenantId, ids);
      return {
        imei: device.imei,
        online: device.isOnline,
        sessionSince: toInstantOrNull(device.since),
        inFlight: device.inFlight,
        items,
        nextCursor,
        oldestAgeMs: ageOf(pending),
        explain: [...inFlightReasons([device]), ...toExplanations(items, reasonsOf(device, pending))],
      };
    },
    async ofAll(tenantId, { limit, cursor }) {
      const filter = ['pending', tenantId];
      const after = cursor === undefined ? undefined : (cursors.read(cursor, filter) as store.Place);
      const rows = await store.listOpen(app, tenantId, after, limit + 1);
      const shown = rows.slice(0, limit);
      const last = shown.at(-1);
      const devices = await store.findDevices(app, tenantId, [...new Set(shown.map((row) => row.deviceId))]);
      const pending = await store.findPending(
        app,
        tenantId,
        devices.map(({ id }) => id),
      );
      const reasons = new Map<string, Reason>();
      for (const device of devices) {
        const own = ofDevice(pending, device.id);
        for (const [id, reason] of reasonsOf(device, own)) reasons.set(id, reason);
      }
      const items = await view(
        tenantId,
        shown.filter(({ isPending }) => isPending).map(({ id }) => id),
      );
      return {
        items,
        nextCursor:
          rows.length > limit && last !== undefined
            ? cursors.write([last.deviceId, last.priority, last.seq], filter)
            : null,
        oldestAgeMs: ageOf(items),
        explain: [...inFlightReasons(devices), ...toExplanations(items, reasons)],
      };
    },
  };
}

/** In the order of delivery: priority, then sequence. */
const isBehind = ({ priority, seq }: store.PendingRow, [p, s]: readonly [number, number]): boolean =>
  priority > p || (priority === p && seq > s);

/** Commands in state `sending` or `sent`. */
const inFlightReasons = (devices: readonly store.DeviceRow[]): Explanation[] =>
  devices.flatMap(({ inFlight }) => (inFlight === null ? [] : [{ commandId: inFlight, reason: 'waiting-for-answer' }]));

/** Rows are grouped by device. */
function ofDevice(pending: readonly store.PendingRow[], id: number): store.PendingRow[] {
  const first = pending.findIndex((row) => row.deviceId === id);
  if (first < 0) return [];
  let end = first;
  while (pending[end]?.deviceId === id) end++;
  return pending.slice(first, end);
}

const reasonsOf = (device: store.DeviceRow, pending: readonly store.PendingRow[]): Map<string, Reason> =>
  explain({ ...device, isWaitingForAnswer: device.inFlight !== null || device.isHeld }, pending);
