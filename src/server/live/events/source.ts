import type pg from 'pg';
import { present, readNotifications } from '../../alerts/notifications/index.ts';
import { motionOf } from '../../fleet/records/index.ts';
import type { Entry, Feed, FeedPosition } from '../../ingest/feed/index.ts';
import { toInstant } from '../../kernel/http/index.ts';
import type { LiveEvent } from './event.ts';
import * as store from './store.ts';

/** Converts feed entries to events. */
export interface EventSource {
  /** Events in order. `isWanted`: whether any subscriber selects this device; others are skipped early. */
  eventsOf(entry: Entry, isWanted: (device: store.DeviceIdentity) => boolean): Promise<LiveEvent[]>;
  /** Drops cached device identities, whose vehicles may have changed. */
  forget(): void;
}

export interface SourceDeps {
  readonly feed: Feed;
  /** as the role that sees every tenant */
  readonly ingest: pg.Pool;
  readonly app: pg.Pool;
}

const MAX_CACHED_DEVICES = 200_000;

/** Cache of device identities. */
function createDeviceIdentities(ingest: pg.Pool) {
  let identities = new Map<number, store.DeviceIdentity | null>();
  return {
    forget(): void {
      identities = new Map();
    },
    async refresh(ids: Iterable<number>): Promise<void> {
      if (identities.size > MAX_CACHED_DEVICES) identities = new Map();
      const known = identities;
      const missing = [...new Set(ids)].filter((id) => !known.has(id));
      if (missing.length === 0) return;
      const found = new Map(
        (await store.readDeviceIdentities(ingest, missing)).map((device) => [device.deviceId, device]),
      );
      for (const id of missing) known.set(id, found.get(id) ?? null);
    },
    /** null: there is no such device; undefined: not read yet */
    find: (id: number): store.DeviceIdentity | null | undefined => identities.get(id),
    of: (id: number): store.DeviceIdentity | undefined => identities.get(id) ?? undefined,
  };
}

export function createSource({ feed, ingest, app }: SourceDeps): EventSource {
  const identities = createDeviceIdentities(ingest);
  const { refresh, of: identityOf } = identities;
  return {
    forget: identities.forget,
    async eventsOf(entry, isWanted) {
      switch (entry.kind) {
        case 'positions':
          return positionEvents(entry, isWanted);
        case 'commands':
          return commandEvents(entry);
        case 'notifications':
          return notificationEvents(entry);
        case 'sessions':
          return sessionEvents(entry);
        case 'uploads':
          return uploadEvents(ingest, entry);
        case 'rules':
          return [];
      }
    },
  };

  async function positionEvents(
    entry: Entry,
    isWanted: (device: store.DeviceIdentity) => boolean,
  ): Promise<LiveEvent[]> {
    const mayBeWanted = (id: number): boolean => {
      const device = identities.find(id);
      return device === undefined || (device !== null && isWanted(device));
    };
    const rows = await feed.positions(ingest, entry, mayBeWanted);
    await refresh(rows.map(({ deviceId }) => deviceId));
    return rows.flatMap((row): LiveEvent[] => {
      const device = identityOf(row.deviceId);
      if (device === undefined || !isWanted(device)) return [];
      const { xid, seq } = entry;
      const data = once(() => positionText(row, device));
      return [
        {
          xid,
          seq,
          type: 'position',
          token: row.id,
          tenantId: device.tenantId,
          at: row.time,
          device,
          userId: undefined,
          data,
        },
      ];
    });
  }

  async function commandEvents(entry: Extract<Entry, { kind: 'commands' }>): Promise<LiveEvent[]> {
    const ids = [...new Set(entry.steps.map(({ commandId }) => commandId))];
    const commands = new Map((await store.readCommandDevices(ingest, ids)).map((row) => [row.id, row.deviceId]));
    await refresh(commands.values());
    const { xid, seq } = entry;
    return entry.steps.flatMap(({ commandId, from, to, reason, at }, n): LiveEvent[] => {
      const device = identityOf(commands.get(commandId) ?? 0);
      if (device === undefined) return [];
      const { imei, targa, tenantId } = device;
      const data = once(() => JSON.stringify({ commandId, imei, targa, from, status: to, reason, at: toInstant(at) }));
      return [{ xid, seq, type: 'command', token: String(n), tenantId, at, device, userId: undefined, data }];
    });
  }

  async function sessionEvents(entry: Extract<Entry, { kind: 'sessions' }>): Promise<LiveEvent[]> {
    await refresh(entry.sessions.map(({ deviceId }) => deviceId));
    const { xid, seq } = entry;
    return entry.sessions.flatMap(({ deviceId, state, at, remote, reason }, n): LiveEvent[] => {
      const device = identityOf(deviceId);
      if (device === undefined) return [];
      const { imei, targa, tenantId } = device;
      const data = once(() => JSON.stringify({ imei, targa, state, at: toInstant(at), remote, reason }));
      return [{ xid, seq, type: 'session', token: String(n), tenantId, at, device, userId: undefined, data }];
    });
  }

  async function notificationEvents(entry: Extract<Entry, { kind: 'notifications' }>): Promise<LiveEvent[]> {
    const heads = await store.readMessageDevices(ingest, entry.ids);
    await refresh(heads.flatMap(({ deviceId }) => deviceId ?? []));
    const texts = new Map<string, { readonly text: string; readonly at: number }>();
    for (const tenantId of new Set(heads.map((head) => head.tenantId))) {
      const ids = heads.filter((head) => head.tenantId === tenantId).map(({ id }) => id);
      for (const row of await readNotifications(app, tenantId, { ids, limit: ids.length })) {
        texts.set(row.id, { text: JSON.stringify(present(row)), at: row.occurredAt });
      }
    }
    const { xid, seq } = entry;
    return heads.flatMap(({ id, tenantId, userId, deviceId }): LiveEvent[] => {
      const message = texts.get(id);
      const device = identityOf(deviceId ?? 0);
      return message === undefined
        ? []
        : [
            {
              xid,
              seq,
              type: 'notification',
              token: id,
              tenantId,
              at: message.at,
              device,
              userId,
              data: () => message.text,
            },
          ];
    });
  }
}

async function uploadEvents(ingest: pg.Pool, entry: Extract<Entry, { kind: 'uploads' }>): Promise<LiveEvent[]> {
  const rows = await store.readUploads(ingest, [...new Set(entry.uploads.map(({ uploadId }) => uploadId))]);
  const uploads = new Map(rows.map((row) => [row.id, row]));
  const { xid, seq } = entry;
  return entry.uploads.flatMap(({ uploadId, state, done, from, to, at }, n): LiveEvent[] => {
    const upload = uploads.get(uploadId);
    if (upload === undefined) return [];
    const { tenantId, createdBy: userId, files } = upload;
    const data = once(() =>
      JSON.stringify({ uploadId, state, files, done, results: upload.results.slice(from, to), at: toInstant(at) }),
    );
    return [{ xid, seq, type: 'upload', token: String(n), tenantId, at, device: undefined, userId, data }];
  });
}

function once(make: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= make();
    return text;
  };
}

/** Position as JSON text; built by concatenation, since attributes and network are stored as JSON. */
export function positionText(row: FeedPosition, { imei, targa }: Pick<store.DeviceIdentity, 'imei' | 'targa'>): string {
  const { id, protocol, deviceTime, fixTime, serverTime, valid, outdated, clockSuspect } = row;
  const { latitude, longitude, altitude, speed, course, accuracy } = row;
  const head = JSON.stringify({
    id,
    imei,
    targa,
    protocol,
    deviceTime: deviceTime === undefined ? undefined : toInstant(deviceTime),
    fixTime: fixTime === undefined ? undefined : toInstant(fixTime),
    serverTime: toInstant(serverTime),
    valid,
    ...(outdated ? { outdated } : {}),
    ...(clockSuspect === true ? { clockSuspect } : {}),
    latitude,
    longitude,
    altitude,
    speed,
    course,
    accuracy,
    motion: motionOf(speed, row.ignition),
  });
  const network = row.network === undefined ? '' : `,"network":${row.network}`;
  return `${head.slice(0, -1)}${network},"attributes":${row.attributes}}`;
}
