import { z } from 'zod';
import { noteChange } from '../../kernel/audit/index.ts';
import {
  type App,
  type Cursors,
  listOf,
  page,
  principalOf,
  tenantOf,
  toInstant,
  toPage,
} from '../../kernel/http/index.ts';
import { recordName, removal } from '../../kernel/records/index.ts';
import { change, checkScopes, creation, deadLetter, replayRequest, shown } from './schema.ts';
import type { StreamService } from './service.ts';
import type { DeadLetterRow } from './store.ts';

const tags = ['streams'];
const access = ['streams:write'] as const;
const errors = ['unknown-stream'] as const;
const params = z.object({ id: recordName.meta({ example: 'str_0a1b2c3d4e5f6a7b8c' }) });

const presentLetter = (row: DeadLetterRow) => ({
  id: row.messageId,
  kind: row.kind,
  imei: row.device,
  reason: row.reason,
  at: toInstant(row.at),
  rejectedAt: toInstant(row.rejectedAt),
  isDue: row.isDue,
  event: JSON.parse(row.body) as Record<string, unknown>,
});

/** Streams to other systems. */
export function addStreamRoutes(server: App, streams: StreamService, cursors: Cursors): void {
  server.post(
    '/v1/streams',
    {
      config: { access, isRepeatable: true, errors: ['private-address', 'conflict', 'missing-scope'] },
      schema: {
        tags,
        summary: 'Create a stream',
        description:
          'Sends events to another system as CloudEvents 1.0, from now on: at least once, for each device in order. A ' +
          'message that is sent again has the same id. A receiver that cannot be reached is tried until it answers; ' +
          'messages that it rejects become dead letters.',
        body: creation,
        response: { 200: shown },
      },
    },
    async (request) => {
      checkScopes(principalOf(request).scopes, request.body.kinds);
      const made = await streams.create(tenantOf(request), principalOf(request).id, request.body);
      noteChange(request, { object: made.id, after: made });
      return made;
    },
  );
  server.get(
    '/v1/streams',
    {
      config: { access },
      schema: { tags, summary: 'List streams', querystring: z.object(page), response: { 200: listOf(shown) } },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const filter = ['streams', tenantId];
      const after = cursor === undefined ? '' : String(cursors.read(cursor, filter)[0]);
      const rows = await streams.list(tenantId, after, limit + 1);
      const { items, nextCursor } = toPage(
        rows,
        limit,
        (row) => row,
        ({ id }) => cursors.write([id], filter),
      );
      return { items: await streams.present(items), nextCursor };
    },
  );
  server.get(
    '/v1/streams/:id',
    { config: { access, errors }, schema: { tags, summary: 'A stream', params, response: { 200: shown } } },
    (request) => streams.show(tenantOf(request), request.params.id),
  );
  server.patch(
    '/v1/streams/:id',
    {
      config: { access, errors: [...errors, 'private-address', 'conflict', 'missing-scope'] },
      schema: {
        tags,
        summary: 'Change a stream',
        description:
          'Members that are not given stay. `options` are replaced as a whole, except secrets that are not given. ' +
          'Secrets are bound to their receiver: with another URL, user name, broker, certificate, client id, protocol or ' +
          'mechanism they are to be given again.',
        params,
        body: change,
        response: { 200: shown },
      },
    },
    async (request) => {
      const { id } = request.params;
      const before = await streams.show(tenantOf(request), id);
      checkScopes(principalOf(request).scopes, request.body.kinds ?? before.kinds);
      const after = await streams.change(tenantOf(request), id, request.body);
      noteChange(request, { object: id, before, after });
      return after;
    },
  );
  for (const [verb, state, summary] of [
    ['pause', 'paused', 'Pause a stream; events of up to seven days wait for it'],
    ['resume', 'active', 'Resume a stream where it was paused'],
  ] as const) {
    server.post(
      `/v1/streams/:id/${verb}`,
      { config: { access, errors }, schema: { tags, summary, params, response: { 200: shown } } },
      async (request) => {
        const { id } = request.params;
        const after = await streams.setState(tenantOf(request), id, state);
        noteChange(request, { object: id, after: { state } });
        return after;
      },
    );
  }
  server.post(
    '/v1/streams/:id/replay',
    {
      config: { access, errors },
      schema: {
        tags,
        summary: 'Send stored positions again',
        description:
          'Sends the stored positions (and their alarms, if the stream has them) from an instant until now, device by ' +
          'device, under the ids that they have. New events wait meanwhile. A replay that is under way is replaced.',
        params,
        body: replayRequest,
        response: { 200: shown },
      },
    },
    async (request) => {
      const { id } = request.params;
      const after = await streams.replay(tenantOf(request), id, request.body.from);
      noteChange(request, { object: id, after: { replay: after.replay } });
      return after;
    },
  );
  server.post(
    '/v1/streams/:id/test',
    {
      config: { access, errors },
      schema: {
        tags,
        summary: 'Send a test message',
        params,
        response: { 200: z.object({ delivered: z.boolean(), detail: z.string().nullable().describe('why not') }) },
      },
    },
    (request) => streams.test(tenantOf(request), request.params.id),
  );
  server.delete(
    '/v1/streams/:id',
    { config: { access, errors }, schema: { tags, summary: 'Delete a stream', params, response: { 200: removal } } },
    async (request) => {
      const { id } = request.params;
      await streams.remove(tenantOf(request), id);
      noteChange(request, { object: id });
      return { message: 'The stream is deleted', id };
    },
  );
  addDeadLetterRoutes(server, streams, cursors);
}

function addDeadLetterRoutes(server: App, streams: StreamService, cursors: Cursors): void {
  server.get(
    '/v1/streams/:id/dead-letters',
    {
      config: { access, errors },
      schema: {
        tags,
        summary: 'Messages that the receiver has rejected, oldest first',
        params,
        querystring: z.object(page),
        response: { 200: listOf(deadLetter) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const tenantId = tenantOf(request);
      const { id } = await streams.find(tenantId, request.params.id);
      const filter = ['dead-letters', tenantId, id];
      const after = cursor === undefined ? 0 : Number(cursors.read(cursor, filter)[0]);
      const rows = await streams.deadLetters(tenantId, id, after, limit + 1);
      return toPage(rows, limit, presentLetter, ({ number }) => cursors.write([number], filter));
    },
  );
  server.post(
    '/v1/streams/:id/dead-letters/replay',
    {
      config: { access, errors },
      schema: {
        tags,
        summary: 'Send the dead letters again',
        description: 'Those that the receiver accepts are deleted; the others stay with the new reason.',
        params,
        response: { 200: z.object({ count: z.number().int() }) },
      },
    },
    async (request) => {
      const { id } = await streams.find(tenantOf(request), request.params.id);
      return { count: await streams.replayDeadLetters(tenantOf(request), id) };
    },
  );
}
