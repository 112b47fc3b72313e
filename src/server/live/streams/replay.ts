import type pg from 'pg';
import { motionOf } from '../../fleet/records/index.ts';
import { readTrack } from '../../positions/history/index.ts';
import { toStoredPosition } from '../../positions/view/index.ts';
import type { StreamMessage } from '../brokers/index.ts';
import { messagesOf } from './cloud-event.ts';
import * as store from './store.ts';

export interface ReplayDeps {
  /** for rows of the tenant, and its positions in files */
  readonly app: pg.Pool;
  readonly pool: pg.Pool;
  /** of this process */
  readonly owner: string;
  readonly tenantName: (id: number) => string | undefined;
  readonly batchSize: number;
  readonly deliver: (messages: readonly StreamMessage[]) => Promise<void>;
}

/** Sends stored positions of an interval, device by device. */
export interface Replay {
  /** Sends a batch; false when there is none left. */
  step(): Promise<boolean>;
}

/** undefined: the stream has nothing to replay */
export async function createReplay(stream: store.StreamRow, deps: ReplayDeps): Promise<Replay | undefined> {
  const { app, pool, owner, tenantName, batchSize, deliver } = deps;
  const { id, tenantId, replayFrom: from, replayUntil: to } = stream;
  if (tenantId === null || from === null || to === null) return undefined;
  const kinds = new Set(stream.kinds);
  const hasPositions = kinds.has('position') || kinds.has('alarm');
  let place = await store.readReplayPlace(pool, id);

  const messagesOfDevice = (device: store.ReplayDevice, rows: Awaited<ReturnType<typeof readTrack>> & {}) =>
    rows.flatMap((row) => {
      const { imei, targa, vehicleId, deviceId } = device;
      const { id: recordId, ...position } = toStoredPosition(row);
      const motion = motionOf(position.speed, position.attributes['ignition']);
      return messagesOf(
        {
          xid: '0',
          seq: 0,
          type: 'position',
          token: recordId,
          tenantId,
          at: row.time,
          device: { deviceId, tenantId, imei, vehicleId, targa },
          userId: undefined,
          data: () => JSON.stringify({ id: recordId, ...position, imei, targa, motion }),
        },
        tenantName(tenantId) ?? '',
        kinds,
      );
    });
  return {
    async step() {
      const device = hasPositions
        ? await store.readReplayDevice(app, tenantId, place.device, stream.vehicles)
        : undefined;
      if (device === undefined) {
        await store.saveReplayPlace(pool, id, owner, undefined);
        return false;
      }
      const { imei, deviceId } = device;
      const after = deviceId === place.device ? place.after : undefined;
      const query = { imei, from, to, after, limit: batchSize, withOptions: false, clockSuspect: false };
      const rows = (await readTrack(app, tenantId, query)) ?? [];
      await deliver(messagesOfDevice(device, rows));
      const last = rows.at(-1);
      place =
        last === undefined || rows.length < batchSize
          ? { device: deviceId + 1, after: undefined }
          : { device: deviceId, after: { time: last.time, id: last.id.toString('hex') } };
      await store.saveReplayPlace(pool, id, owner, place);
      return true;
    },
  };
}
