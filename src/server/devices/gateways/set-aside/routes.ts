import type pg from 'pg';
import { z } from 'zod';
import { deviceId, instant } from '../../../../contract/position.ts';
import { type SetAsideOutcome, type SetAsideRecord, setAsideAnswer } from '../../../../contract/set-aside.ts';
import { AppError } from '../../../../platform/errors.ts';
import { noteChange } from '../../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  listOf,
  member,
  page,
  principalOf,
  textLike,
  toInstant,
  toInstantOrNull,
  toPage,
} from '../../../kernel/http/index.ts';
import type { SetAsideService } from './service.ts';
import { listGateways, listSetAside, type SetAsideRow } from './store.ts';

const tags = ['gateways'];
const reads = ['ops'] as const;
const changes = ['ops', 'ops:write'] as const;
const errors = ['unknown-set-aside-record'] as const;

const gatewayName = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);
const recordId = z.string().regex(/^[a-z0-9-]{1,64}$/);
const params = z.object({
  gateway: gatewayName.meta({ example: 'gw-north' }),
  id: recordId.meta({ example: 'api-1207' }),
});

const gatewayShown = z
  .object({
    gateway: z.string(),
    connected: z.boolean(),
    lastSeenAt: instant.describe('when its presence was renewed last'),
    setAside: z.number().int().describe('records that it has set aside'),
    listed: z.number().int().describe('of these, the newest, are listed'),
    reportedAt: instant.nullable().describe('when the numbers were reported; null: never'),
    waiting: z
      .number()
      .int()
      .nullable()
      .describe(
        'records in its spool that the API has not received, at the last report; those of a gateway that has stopped ' +
          'are delivered when it starts again; null: not reported',
      ),
    stoppedAt: instant.nullable().describe('when it stopped in order; null: it runs, or has ended without a word'),
  })
  .meta({ id: 'Gateway' });

const recordShown = z
  .object({
    gateway: z.string(),
    id: textLike('api-1207'),
    target: z.string().describe('`api`, or `push`: PUSH_URL'),
    what: z.string().describe('`position`, or the type of the event; `unknown` if it cannot be read'),
    imei: member.imei.nullable(),
    protocol: member.protocol.nullable(),
    time: instant.nullable().describe('of the fix, or of the event'),
    at: instant.describe('when it was rejected last'),
    code: z.string(),
    detail: z.string(),
    size: z.number().int().describe('bytes'),
    replaying: z.boolean().describe('it has been sent again, and the target has not answered yet'),
  })
  .meta({ id: 'SetAsideRecord' });

const recordWithContent = recordShown
  .extend({
    content: z.unknown().describe('the record itself; null if it is not JSON or was cut'),
    text: z.string().nullable().describe('the first 65,536 characters of such a record'),
  })
  .meta({ id: 'SetAsideRecordContent' });

const outcomeShown = z
  .object({
    outcome: z
      .enum(['delivered', 'rejected', 'waiting', 'dropped', 'requested'])
      .describe(
        'delivered: the target has accepted it; rejected: again, for the reason given; waiting: it is in the spool; ' +
          'requested: the gateway has not answered in time, and may still do it',
      ),
    code: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: 'SetAsideOutcome' });

const present = ({ time, at, isReplaying, ...row }: SetAsideRow) => ({
  ...row,
  time: toInstantOrNull(time),
  at: toInstant(at),
  replaying: isReplaying,
});

const rowOf = (gateway: string, { imei, protocol, time, ...record }: SetAsideRecord): SetAsideRow => ({
  ...record,
  gateway,
  imei: imei ?? null,
  protocol: protocol ?? null,
  time: time ?? null,
});

function presentOutcome(answer: SetAsideOutcome | undefined): z.output<typeof outcomeShown> {
  if (answer === undefined) return { outcome: 'requested', code: null, detail: null };
  if (answer.outcome === 'rejected') {
    return { outcome: 'rejected', code: answer.record.code, detail: answer.record.detail };
  }
  const { outcome } = answer;
  if (outcome !== 'delivered' && outcome !== 'waiting' && outcome !== 'dropped') {
    throw new AppError('unavailable', 'The gateway has answered something else');
  }
  return { outcome, code: null, detail: null };
}

export interface SetAsideDeps {
  /** of the role that may access all tenants */
  readonly pool: pg.Pool;
  readonly service: SetAsideService;
  readonly cursors: Cursors;
}

/** Records that a target has rejected, on the disks of the gateways. */
export function addSetAsideRoutes(app: App, deps: SetAsideDeps): void {
  addLists(app, deps);
  addChanges(app, deps);
  app.post(
    '/v1/internal/set-aside',
    {
      config: { access: ['internal'], rateLimit: false },
      schema: {
        tags: ['internal'],
        summary: 'Answer of a gateway to a request about a record that it has set aside',
        body: setAsideAnswer,
        response: { 200: z.object({}) },
      },
    },
    async (request) => {
      await deps.service.answered(principalOf(request).id, request.body.request, request.body.answer);
      return {};
    },
  );
}

function addLists(app: App, { pool, service, cursors }: SetAsideDeps): void {
  app.get(
    '/v1/gateways',
    {
      config: { access: reads },
      schema: { tags, summary: 'List gateways', querystring: z.object(page), response: { 200: listOf(gatewayShown) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = cursor === undefined ? '' : String(cursors.read(cursor, ['gateways'])[0]);
      return toPage(
        await listGateways(pool, after, limit + 1),
        limit,
        ({ isConnected, lastSeenAt, reportedAt, stoppedAt, ...row }) => ({
          ...row,
          connected: isConnected,
          lastSeenAt: toInstant(lastSeenAt),
          reportedAt: toInstantOrNull(reportedAt),
          stoppedAt: toInstantOrNull(stoppedAt),
        }),
        ({ gateway }) => cursors.write([gateway], ['gateways']),
      );
    },
  );
  app.get(
    '/v1/set-aside-records',
    {
      config: { access: reads },
      schema: {
        tags,
        summary: 'Records that a target has rejected',
        description:
          'Newest first. A gateway keeps a record that its target rejects, and delivers those behind it. The records of ' +
          'all tenants are listed, of each gateway the newest, as it has reported them last (every 10 seconds).',
        querystring: z.object({ gateway: gatewayName.optional(), imei: deviceId.optional(), ...page }),
        response: { 200: listOf(recordShown) },
      },
    },
    async (request) => {
      const { limit, cursor, gateway, imei } = request.query;
      const filter = ['set-aside', gateway ?? '', imei ?? ''];
      const after = cursor === undefined ? undefined : cursors.read(cursor, filter);
      const from = after && ([Number(after[0]), String(after[1]), String(after[2])] as const);
      return toPage(await listSetAside(pool, { gateway, imei }, from, limit + 1), limit, present, (row) =>
        cursors.write([row.at, row.gateway, row.id], filter),
      );
    },
  );
  app.get(
    '/v1/gateways/:gateway/set-aside-records/:id',
    {
      // it shows data of any tenant
      config: { access: reads, errors, audit: 'GET /v1/gateways/:gateway/set-aside-records/:id' },
      schema: {
        tags,
        summary: 'A set-aside record with its content',
        description: 'Read from the disk of the gateway, which has to be connected.',
        params,
        response: { 200: recordWithContent },
      },
    },
    async (request) => {
      const { gateway, id } = request.params;
      const answer = await service.ask(gateway, 'show', id);
      if (answer?.outcome !== 'shown') throw new AppError('unavailable', 'The gateway has not answered in time');
      const { record, content: text, isTruncated } = answer;
      const content = isTruncated ? null : parsed(text);
      return { ...present(rowOf(gateway, record)), content, text: content === null ? text : null };
    },
  );
}

function addChanges(app: App, { pool, service }: SetAsideDeps): void {
  /** the reported record, for the audit trail */
  const reported = async (gateway: string, id: string) =>
    (await listSetAside(pool, { gateway, id }, undefined, 1)).map(present)[0];
  app.post(
    '/v1/gateways/:gateway/set-aside-records/:id/replay',
    {
      config: { access: changes, errors },
      schema: {
        tags,
        summary: 'Send a set-aside record again',
        description:
          'The record goes to the end of the spool of its gateway. It stays in the list until the target has accepted ' +
          'it; if it is rejected again, with the new reason.',
        params,
        response: { 200: outcomeShown },
      },
    },
    async (request) => {
      const { gateway, id } = request.params;
      const before = await reported(gateway, id);
      const after = presentOutcome(await service.ask(gateway, 'replay', id));
      noteChange(request, { object: `${gateway}/${id}`, before, after });
      return after;
    },
  );
  app.delete(
    '/v1/gateways/:gateway/set-aside-records/:id',
    {
      config: { access: changes, errors },
      schema: {
        tags,
        summary: 'Delete a set-aside record',
        description: 'From the disk of its gateway, for good.',
        params,
        response: { 200: outcomeShown },
      },
    },
    async (request) => {
      const { gateway, id } = request.params;
      const before = await reported(gateway, id);
      const after = presentOutcome(await service.ask(gateway, 'drop', id));
      noteChange(request, { object: `${gateway}/${id}`, before, after });
      return after;
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
