import type pg from 'pg';
import type { GatewayEvent } from '../../contract/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { applyAll, transaction } from '../../platform/postgres/index.ts';
import type { Directory } from '../devices/directory.ts';
import type { Partitions } from '../positions/partitions.ts';
import { applyEvents, type Resolved, resolveEvent } from './apply.ts';
import { parseLines, type Rejection } from './lines.ts';
import { lockCursor, moveCursor } from './store.ts';

export interface EventSource {
  readonly gateway: string;
  readonly spool: string;
  /** epoch ms by the gateway's clock */
  readonly clock?: number | undefined;
}

export interface EventsAnswer {
  readonly lastSeq: number;
  readonly rejected: readonly Rejection[];
}

export interface EventService {
  /** Applies a batch of NDJSON once, whatever is repeated. Throws AppError `malformed`, `unavailable`. */
  take(source: EventSource, text: string): Promise<EventsAnswer>;
}

export interface EventServiceDeps {
  readonly pool: pg.Pool;
  readonly directory: Directory;
  readonly positionMonths: Partitions;
  readonly timelineDays: Partitions;
  readonly clock: Clock;
  readonly autoRegister: boolean;
  readonly defaultTenantId: number;
  readonly onStored: (positions: number) => void;
  readonly onRefused: (detail: { seq: number; type: string; error: string }) => void;
}

const imeiOf = (event: GatewayEvent): string | undefined =>
  event.type === 'position' ? event.position.deviceId : event.imei;

export function createEventService(deps: EventServiceDeps): EventService {
  return {
    async take(source, text) {
      const parsed = parseLines(text);
      if (parsed.lastSeq === 0) return { lastSeq: 0, rejected: [] };
      const rejected = [...parsed.rejected];
      const items = await resolve(parsed.events, rejected, deps);
      await makePartitions(items, deps);
      const outcome = await transaction(deps.pool, async (tx) => {
        const refused: Rejection[] = [];
        let stored = 0;
        const last = await lockCursor(tx, source.gateway, source.spool);
        if (parsed.lastSeq <= last) return { lastSeq: last, stored, refused };
        const batch = { gateway: source.gateway, now: deps.clock.now(), defaultTenantId: deps.defaultTenantId };
        const fresh =
          items[0] !== undefined && items[0].event.seq > last ? items : items.filter((i) => i.event.seq > last);
        await applyAll(
          tx,
          fresh,
          async (part) => {
            stored += await applyEvents(tx, part, batch);
          },
          ({ event }, error) => {
            refused.push({ seq: event.seq, code: 'unstorable', detail: 'the database refuses this record' });
            deps.onRefused({ seq: event.seq, type: event.type, error: error.message });
          },
        );
        await moveCursor(tx, { ...source, lastSeq: parsed.lastSeq, clock: source.clock });
        return { lastSeq: parsed.lastSeq, stored, refused };
      });
      deps.onStored(outcome.stored);
      rejected.push(...outcome.refused);
      return { lastSeq: outcome.lastSeq, rejected: rejected.sort((a, b) => a.seq - b.seq) };
    },
  };
}

/** Finds the devices; lines of devices that are not registered and may not be are rejected. */
async function resolve(
  events: readonly GatewayEvent[],
  rejected: Rejection[],
  { directory, autoRegister, clock }: EventServiceDeps,
): Promise<Resolved[]> {
  const imeis = new Set<string>();
  for (const event of events) {
    const imei = imeiOf(event);
    if (imei !== undefined && event.type !== 'knock') imeis.add(imei);
  }
  const known = await directory.resolve(imeis, autoRegister);
  const now = clock.now();
  const items: Resolved[] = [];
  for (const event of events) {
    const imei = imeiOf(event);
    const device = imei === undefined ? undefined : known.get(imei);
    if (device === undefined && imei !== undefined && event.type !== 'knock') {
      rejected.push({ seq: event.seq, code: 'unknown-device', detail: `${imei} is not registered` });
    } else {
      items.push(resolveEvent(event, device, now));
    }
  }
  return items;
}

async function makePartitions(items: readonly Resolved[], deps: EventServiceDeps): Promise<void> {
  const times: number[] = [];
  const instants: number[] = [];
  for (const { event, row } of items) {
    if (row !== undefined) times.push(row.time);
    else if (event.type !== 'position') instants.push(event.at);
  }
  await deps.positionMonths.ensure(times);
  await deps.timelineDays.ensure(instants);
}
