import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { normaliseTarga } from '../../fleet/records/index.ts';
import { readBacklogs } from '../../ingest/feed/index.ts';
import { toInstant, toInstantOrNull } from '../../kernel/http/index.ts';
import { unlessTaken } from '../../kernel/records/index.ts';
import type { Secrets } from '../../kernel/secrets/index.ts';
import type { StreamSender } from '../brokers/index.ts';
import { testMessage } from './cloud-event.ts';
import { type change, checkTarget, type creation, type shown } from './schema.ts';
import * as store from './store.ts';
import { changeTarget, openTarget, sealTarget, targetOf, withSecrets } from './target.ts';

export interface StreamServiceDeps {
  readonly app: pg.Pool;
  readonly ingest: pg.Pool;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Throws AppError `private-address`. */
  readonly checkUrl: (url: string) => Promise<void>;
  readonly open: (stream: store.StreamRow) => Promise<StreamSender>;
  readonly mostStreams: number;
}

type Shown = z.output<typeof shown>;
const KIND = { singular: 'stream' };

export type StreamService = ReturnType<typeof createStreamService>;

export function createStreamService(deps: StreamServiceDeps) {
  const { app, ingest, secrets, clock, checkUrl, open, mostStreams } = deps;
  const find = async (tenantId: number, id: string): Promise<store.StreamRow> => {
    const [row] = await store.readStreams(app, tenantId, { id, limit: 1 });
    if (row === undefined) throw new AppError('unknown-stream');
    return row;
  };
  const present = async (rows: readonly store.StreamRow[]): Promise<Shown[]> => {
    const backlogs = await readBacklogs(
      ingest,
      rows.map(({ id }) => `stream:${id}`),
    );
    const byName = new Map(backlogs.map((backlog) => [backlog.name, backlog]));
    return rows.map((row) => {
      const { id, name, type, topic, kinds, vehicles, state, problem, sent, failed } = row;
      const { url, options } = openTarget(secrets, id, row.target);
      const { events = 0, seconds = 0 } = byName.get(`stream:${id}`) ?? {};
      return {
        id,
        name,
        type,
        topic,
        kinds: [...kinds],
        vehicles: vehicles === null ? null : [...vehicles],
        url,
        options,
        state,
        problem,
        sent,
        failed,
        lagRecords: events,
        lagSeconds: seconds,
        lastSentAt: toInstantOrNull(row.lastSentAt),
        replay: toInterval(row.replayFrom, row.replayUntil),
        lost: toInterval(row.lostFrom, row.lostUntil),
        createdAt: toInstant(row.createdAt),
      };
    });
  };
  const show = async (tenantId: number, id: string): Promise<Shown> => (await present([await find(tenantId, id)]))[0]!;
  const vehiclesOf = (given: readonly string[] | null): string[] | null =>
    given === null ? null : [...new Set(given.flatMap((name) => [name, normaliseTarga(name)]))];
  const requireOne = (isDone: boolean): void => {
    if (!isDone) throw new AppError('unknown-stream');
  };
  return {
    find,
    show,
    present,
    list: (tenantId: number, after: string, limit: number) => store.readStreams(app, tenantId, { after, limit }),
    async create(tenantId: number, createdBy: string, given: z.output<typeof creation>): Promise<Shown> {
      const { name, type, url, topic = null, kinds, vehicles = null, options = {} } = given;
      checkTarget(type, { url, options }, kinds);
      await checkUrl(url);
      const id = `str_${randomBytes(9).toString('hex')}`;
      const target = sealTarget(secrets, id, targetOf(url, options));
      const list = vehiclesOf(vehicles);
      const row = { id, name, type, target, topic, kinds: [...new Set(kinds)], vehicles: list, createdBy };
      if (!(await unlessTaken(KIND, () => store.insertStream(app, tenantId, row, mostStreams)))) {
        throw new AppError('conflict', `A tenant has at most ${mostStreams} streams`);
      }
      return show(tenantId, id);
    },
    async change(tenantId: number, id: string, given: z.output<typeof change>): Promise<Shown> {
      const before = await find(tenantId, id);
      const known = openTarget(secrets, id, before.target);
      const target = changeTarget(known, given);
      const kinds = [...new Set(given.kinds ?? before.kinds)];
      checkTarget(before.type, withSecrets(target), kinds);
      if (target.url !== known.url) await checkUrl(target.url);
      const row = {
        name: given.name ?? before.name,
        target: sealTarget(secrets, id, target),
        topic: given.topic === undefined ? before.topic : given.topic,
        kinds,
        vehicles: given.vehicles === undefined ? before.vehicles : vehiclesOf(given.vehicles),
      };
      requireOne(await unlessTaken(KIND, () => store.changeStream(app, tenantId, id, row)));
      return show(tenantId, id);
    },
    async setState(tenantId: number, id: string, state: store.StreamRow['state']): Promise<Shown> {
      requireOne(await store.setState(app, tenantId, id, state));
      return show(tenantId, id);
    },
    async replay(tenantId: number, id: string, from: number): Promise<Shown> {
      requireOne(await store.startReplay(app, tenantId, id, from));
      return show(tenantId, id);
    },
    async remove(tenantId: number, id: string): Promise<void> {
      requireOne(await store.deleteStream(app, tenantId, id));
    },
    /** Sends a test message over a connection of its own. */
    async test(tenantId: number, id: string): Promise<{ delivered: boolean; detail: string | null }> {
      const stream = await find(tenantId, id);
      const tenant = (await store.readTenantNames(ingest)).get(tenantId) ?? '';
      let sender: StreamSender | undefined;
      try {
        sender = await open(stream);
        const message = testMessage(`test-${randomBytes(8).toString('hex')}`, tenant, clock.now());
        const [rejection] = await sender.send([message]);
        return { delivered: rejection === undefined, detail: rejection?.reason ?? null };
      } catch (error) {
        return { delivered: false, detail: (error as Error).message.slice(0, 500) };
      } finally {
        await sender?.close();
      }
    },
    deadLetters: (tenantId: number, id: string, after: number, limit: number) =>
      store.readDeadLetters(app, tenantId, id, after, limit),
    replayDeadLetters: (tenantId: number, id: string) => store.replayDeadLetters(app, tenantId, id),
  };
}

const toInterval = (from: number | null, until: number | null): Shown['replay'] =>
  from === null || until === null ? null : { from: toInstant(from), until: toInstant(until) };
