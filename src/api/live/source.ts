import type pg from 'pg';
import type { Entry, Feed, FeedPosition } from '../../feed/index.ts';
import { toInstant } from '../http/index.ts';
import { present, readNotifications } from '../notifications/index.ts';
import type { LiveEvent } from './event.ts';
import * as store from './store.ts';

/** Makes client events of feed entries. */
export interface EventSource {
  /** In order. `isWanted`: may somebody want what this device does? */
  eventsOf(entry: Entry, isWanted: (face: store.Face) => boolean): Promise<LiveEvent[]>;
  /** Devices may be in other vehicles than before. */
  forget(): void;
}

export interface SourceDeps {
  readonly feed: Feed;
  /** as the role that sees every tenant */
  readonly ingest: pg.Pool;
  readonly app: pg.Pool;
}

const MOST_FACES = 200_000;

/** What devices are known by, asked for once. */
function createFaces(ingest: pg.Pool) {
  let faces = new Map<number, store.Face | null>();
  return {
    forget(): void {
      faces = new Map();
    },
    async learn(ids: Iterable<number>): Promise<void> {
      if (faces.size > MOST_FACES) faces = new Map();
      const known = faces;
      const missing = [...new Set(ids)].filter((id) => !known.has(id));
      if (missing.length === 0) return;
      const found = new Map((await store.readFaces(ingest, missing)).map((face) => [face.deviceId, face]));
      for (const id of missing) known.set(id, found.get(id) ?? null);
    },
    /** null: there is no such device; undefined: not read yet */
    look: (id: number): store.Face | null | undefined => faces.get(id),
    of: (id: number): store.Face | undefined => faces.get(id) ?? undefined,
  };
}

export function createSource({ feed, ingest, app }: SourceDeps): EventSource {
  const faces = createFaces(ingest);
  const { learn, of: faceOf } = faces;
  return {
    forget: faces.forget,
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

  async function positionEvents(entry: Entry, isWanted: (face: store.Face) => boolean): Promise<LiveEvent[]> {
    const mayBeWanted = (id: number): boolean => {
      const face = faces.look(id);
      return face === undefined || (face !== null && isWanted(face));
    };
    const rows = await feed.positions(ingest, entry, mayBeWanted);
    await learn(rows.map(({ deviceId }) => deviceId));
    return rows.flatMap((row): LiveEvent[] => {
      const face = faceOf(row.deviceId);
      if (face === undefined || !isWanted(face)) return [];
      const { xid, seq } = entry;
      const data = once(() => positionText(row, face));
      return [
        {
          xid,
          seq,
          type: 'position',
          token: row.id,
          tenantId: face.tenantId,
          at: row.time,
          face,
          userId: undefined,
          data,
        },
      ];
    });
  }

  async function commandEvents(entry: Extract<Entry, { kind: 'commands' }>): Promise<LiveEvent[]> {
    const ids = [...new Set(entry.steps.map(({ commandId }) => commandId))];
    const commands = new Map((await store.readCommandFaces(ingest, ids)).map((row) => [row.id, row.deviceId]));
    await learn(commands.values());
    const { xid, seq } = entry;
    return entry.steps.flatMap(({ commandId, from, to, reason, at }, n): LiveEvent[] => {
      const face = faceOf(commands.get(commandId) ?? 0);
      if (face === undefined) return [];
      const { imei, targa, tenantId } = face;
      const data = once(() => JSON.stringify({ commandId, imei, targa, from, status: to, reason, at: toInstant(at) }));
      return [{ xid, seq, type: 'command', token: String(n), tenantId, at, face, userId: undefined, data }];
    });
  }

  async function sessionEvents(entry: Extract<Entry, { kind: 'sessions' }>): Promise<LiveEvent[]> {
    await learn(entry.sessions.map(({ deviceId }) => deviceId));
    const { xid, seq } = entry;
    return entry.sessions.flatMap(({ deviceId, state, at, remote, reason }, n): LiveEvent[] => {
      const face = faceOf(deviceId);
      if (face === undefined) return [];
      const { imei, targa, tenantId } = face;
      const data = once(() => JSON.stringify({ imei, targa, state, at: toInstant(at), remote, reason }));
      return [{ xid, seq, type: 'session', token: String(n), tenantId, at, face, userId: undefined, data }];
    });
  }

  async function notificationEvents(entry: Extract<Entry, { kind: 'notifications' }>): Promise<LiveEvent[]> {
    const heads = await store.readMessageFaces(ingest, entry.ids);
    await learn(heads.flatMap(({ deviceId }) => deviceId ?? []));
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
      const face = faceOf(deviceId ?? 0);
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
              face,
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
    return [{ xid, seq, type: 'upload', token: String(n), tenantId, at, face: undefined, userId, data }];
  });
}

function once(make: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= make();
    return text;
  };
}

/** The vocabulary's shape, made as text: attributes and network are JSON already. */
export function positionText(row: FeedPosition, { imei, targa }: Pick<store.Face, 'imei' | 'targa'>): string {
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
  });
  const network = row.network === undefined ? '' : `,"network":${row.network}`;
  return `${head.slice(0, -1)}${network},"attributes":${row.attributes}}`;
}
