import { z } from 'zod';
import type { ErrorCode } from '../../../platform/errors.ts';
import { noteChange } from '../audit/index.ts';
import {
  type App,
  expectedVersion,
  listOf,
  member,
  page,
  sendTagged,
  tenantOf,
  text,
  textLike,
  toInstant,
} from '../http/index.ts';
import type { Kind, RecordRow } from './kind.ts';
import type { Fields, Records } from './service.ts';

export type Present = (row: RecordRow) => Record<string, unknown>;

/** Converts a row to JSON, with times in RFC 3339. */
export const presenter =
  (kind: Kind): Present =>
  (row) => {
    const fields = Object.entries(kind.columns).map(([field, { type }]) => {
      const value = row[field] ?? null;
      return [field, type === 'timestamptz' && typeof value === 'number' ? toInstant(value) : value];
    });
    const { id, createdAt, updatedAt } = row;
    return { id, ...Object.fromEntries(fields), createdAt: toInstant(createdAt), updatedAt: toInstant(updatedAt) };
  };

export const recordName = text(200, 1);
export const removal = z.object({ message: member.message, id: textLike('grp_0a1b2c3d4e5f6a7b8c') });

/** Routes to create, list, find, change and remove records of a kind. */
export function addRecordRoutes(app: App, records: Records): void {
  const { kind } = records;
  const present = presenter(kind);
  const { plural, singular, create, change, shown } = kind;
  const tags = [plural];
  const read = { access: [kind.read] };
  const write = { access: [kind.write] };
  const params = z.object({ id: recordName.meta({ example: `${kind.prefix}_0a1b2c3d4e5f6a7b8c` }) });
  const wrong: readonly ErrorCode[] = [
    'conflict',
    ...(kind.invalid ?? []),
    ...Object.values(kind.columns).flatMap(({ refersTo }) => (refersTo === undefined ? [] : [refersTo.unknown])),
  ];
  const removing: readonly ErrorCode[] = [kind.unknown, 'precondition-failed'];
  app.get(
    `/v1/${plural}`,
    {
      config: read,
      schema: {
        tags,
        summary: `List ${plural}`,
        querystring: z.object({ q: text(100).optional().describe('part of a name'), ...page }),
        response: { 200: listOf(shown) },
      },
    },
    async (request) => {
      const { items, nextCursor } = await records.list(tenantOf(request), request.query);
      return { items: items.map(present), nextCursor };
    },
  );
  app.post(
    `/v1/${plural}`,
    {
      config: { isTagged: true, ...write, errors: wrong },
      schema: { tags, summary: `Create a ${singular}`, body: create, response: { 200: shown } },
    },
    async (request, reply) => {
      const row = await records.create(tenantOf(request), request.body as Fields);
      const after = present(row);
      noteChange(request, { object: row.id, after });
      return sendTagged(request, reply, row.version, after);
    },
  );
  app.get(
    `/v1/${plural}/:id`,
    {
      config: { isTagged: true, ...read, errors: [kind.unknown] },
      schema: { tags, summary: `A ${singular}`, params, response: { 200: shown } },
    },
    async (request, reply) => {
      const row = await records.find(tenantOf(request), request.params.id);
      return sendTagged(request, reply, row.version, present(row));
    },
  );
  app.patch(
    `/v1/${plural}/:id`,
    {
      config: { isTagged: true, ...write, errors: [...removing, ...wrong] },
      schema: {
        tags,
        summary: `Change a ${singular}`,
        description:
          'Omitted fields are not changed. With If-Match, a record that was changed in the meantime is refused (412).',
        params,
        body: change,
        response: { 200: shown },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const changed = await records.change(tenantOf(request), id, request.body as Fields, expectedVersion(request));
      const after = present(changed.after);
      noteChange(request, { object: changed.after.id, before: present(changed.before), after });
      return sendTagged(request, reply, changed.after.version, after);
    },
  );
  app.delete(
    `/v1/${plural}/:id`,
    {
      config: { ...write, errors: removing },
      schema: { tags, summary: `Remove a ${singular}`, params, response: { 200: removal } },
    },
    async (request) => {
      const row = await records.remove(tenantOf(request), request.params.id, expectedVersion(request));
      noteChange(request, { object: row.id, before: present(row) });
      return { message: `The ${singular} is removed`, id: row.id };
    },
  );
}
