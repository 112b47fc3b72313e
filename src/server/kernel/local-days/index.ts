import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { DAY_MS } from '../../../platform/durations.ts';
import { isZone, zoneOf } from '../../../platform/zone.ts';
import { edgeOf, toInstant } from '../http/index.ts';
import { readZone } from './store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** accepts dates instead of instants */
    hasDates?: boolean;
    /** the route has its own default of `tz` */
    hasOwnZone?: boolean;
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

type Members = Record<string, unknown>;

/**
 * Replaces dates by the first or last instant of the day before the request is validated. The time zone is the
 * parameter `tz`, otherwise that of the user, otherwise that of the tenant.
 */
export function addLocalDays(app: FastifyInstance, pool: pg.Pool): void {
  app.addHook('onRoute', (route) => {
    const { querystring, body } = route.schema ?? {};
    if (mayHaveDates(querystring) || mayHaveDates(body)) route.config = { ...route.config, hasDates: true };
  });
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.hasDates === true) replaceDates(request).then(() => done(), done);
    else done();
  });
  async function replaceDates(request: FastifyRequest): Promise<void> {
    const { schema, config } = request.routeOptions;
    const tenantId = request.principal?.tenantId;
    if (schema === undefined || tenantId === undefined) return;
    const query = request.query as Members;
    const found = [...datesIn(schema.querystring, query), ...datesIn(schema.body, request.body)];
    const bodies = [
      { members: query, schema: schema.querystring },
      { members: (request.body ?? {}) as Members, schema: schema.body },
    ];
    const unzoned = (config.hasOwnZone === true ? [] : bodies).flatMap((each) =>
      hasOwnZone(each.schema) && each.members['tz'] === undefined && hasDate(each.members) ? [each.members] : [],
    );
    if (found.length === 0 && unzoned.length === 0) return;
    const zone = await readZone(pool, tenantId, userOf(request));
    if (!isZone(zone)) return;
    for (const members of unzoned) members['tz'] = zone;
    for (const { members, name, edge } of found) {
      const { tz } = members;
      // an unknown zone is refused later by the route schema
      const own = typeof tz === 'string' && isZone(tz) ? tz : zone;
      members[name] = edgeOfDay(String(members[name]), edge, own);
    }
  }
}

const userOf = ({ principal }: FastifyRequest): string | undefined =>
  principal?.kind === 'user' ? principal.id : undefined;

interface DateMember {
  readonly members: Members;
  readonly name: string;
  readonly edge: 'from' | 'to';
}

const isDate = (value: unknown): value is string => typeof value === 'string' && DATE.test(value);
const hasDate = ({ from, to }: Members): boolean => isDate(from) || isDate(to);
const hasOwnZone = (schema: unknown): boolean => shapeOf(schema)?.['tz'] !== undefined;

/** Whether a schema contains instants. */
function mayHaveDates(schema: unknown): boolean {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return mayHaveDates(inner.element);
  return (
    hasOwnZone(schema) ||
    Object.values(shapeOf(inner) ?? {}).some((part) => edgeOf(unwrap(part)) !== undefined || mayHaveDates(part))
  );
}

/** Members of a value whose schema is an instant and whose value is a date. */
function datesIn(schema: unknown, value: unknown): DateMember[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = unwrap(schema);
  if (Array.isArray(value)) {
    return inner instanceof z.ZodArray ? value.flatMap((each) => datesIn(inner.element, each)) : [];
  }
  const members = value as Members;
  return Object.entries(shapeOf(inner) ?? {}).flatMap(([name, part]) => {
    const edge = edgeOf(unwrap(part));
    if (edge === undefined) return datesIn(part, members[name]);
    return isDate(members[name]) ? [{ members, name, edge }] : [];
  });
}

function unwrap(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.unwrap();
  }
  return inner;
}

function shapeOf(schema: unknown): Readonly<Record<string, z.ZodType>> | undefined {
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : undefined;
}

/** Invalid dates are returned unchanged; the schema refuses them. */
function edgeOfDay(date: string, edge: 'from' | 'to', zone: string): string {
  const start = Date.parse(date);
  if (Number.isNaN(start) || start < 0) return date;
  const { startOfDay } = zoneOf(zone);
  const days = start / DAY_MS;
  return toInstant(edge === 'from' ? startOfDay(days) : startOfDay(days + 1) - 1);
}
