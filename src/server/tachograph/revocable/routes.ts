import type pg from 'pg';
import type { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { ErrorCode } from '../../../platform/errors.ts';
import { type App, type Cursors, listOf, tenantOf } from '../../kernel/http/index.ts';
import { tags } from '../files/routes.ts';
import { listRevocable, revocableQuery, revokeBody, revokeOne, revokeParams } from './shapes.ts';
import type { RevocableRow, RevocableStore } from './store.ts';

interface RevocableDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly cursors: Cursors;
}

interface RevocableResource<Row extends RevocableRow, Shape extends z.ZodType> {
  readonly path: string;
  /** of the list, for its cursors */
  readonly name: string;
  readonly store: RevocableStore<Row>;
  readonly shape: Shape;
  readonly present: (row: Row) => z.output<Shape>;
  /** code of the error if there is none of this id */
  readonly unknown: ErrorCode;
  readonly exampleId: string;
  readonly listTitle: string;
  readonly revokeTitle: string;
  /** what revoking does beside keeping the resource */
  readonly effect?: string;
  readonly onRevoked?: () => void;
}

/** The list of a resource that can be revoked, and the operation that revokes one. */
export function addRevocableRoutes<Row extends RevocableRow, Shape extends z.ZodType>(
  app: App,
  { pool, clock, cursors }: RevocableDeps,
  resource: RevocableResource<Row, Shape>,
): void {
  const { path, name, store, present, unknown, effect } = resource;
  const shape: z.ZodType = resource.shape;
  app.get(
    path,
    {
      config: { access: ['ddd:read'], errors: ['from-after-to'] },
      schema: {
        tags,
        summary: resource.listTitle,
        description: 'Also those that were revoked, unless `state` chooses.',
        querystring: revocableQuery,
        response: { 200: listOf(shape) },
      },
    },
    async (request) =>
      listRevocable({ pool, tenantId: tenantOf(request), cursors, store, name, present }, request.query),
  );
  app.post(
    `${path}/:id/revoke`,
    {
      config: { access: ['ddd:write'], errors: [unknown, 'conflict'] },
      schema: {
        tags,
        summary: resource.revokeTitle,
        description: `It is kept, with who revoked it and why.${effect === undefined ? '' : ` ${effect}`}`,
        params: revokeParams(resource.exampleId),
        body: revokeBody,
        response: { 200: shape },
      },
    },
    async (request) => {
      const row = await revokeOne(request, { pool, clock, store, unknown });
      resource.onRevoked?.();
      return present(row);
    },
  );
}
