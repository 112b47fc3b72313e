import type { FastifyInstance, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import { isZone, zoneOf } from '../../rules/index.ts';
import { edgeOf, toInstant } from '../http/index.ts';
import { readZone } from './store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** dates in place of instants are taken */
    hasDates?: boolean;
    /** the route has a default of its own for `tz` */
    hasOwnZone?: boolean;
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

type Members = Record<string, unknown>;

/**
 * Dates in place of instants are days of `tz`, where an operation has it, of the time zone of the user, otherwise of the
 * tenant: they are replaced by the first or the last instant of the day before the request is validated.
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
      // a zone that does not exist is refused by the route
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

/** Does a schema, or anything in it, have members that `replaceDates` looks at? */
function mayHaveDates(schema: unknown): boolean {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return mayHaveDates(inner.element);
  return (
    hasOwnZone(schema) ||
    Object.values(shapeOf(inner) ?? {}).some((part) => edgeOf(unwrap(part)) !== undefined || mayHaveDates(part))
  );
}

/** The members of a value that may be an instant and are a date. */
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

/** Dates that do not exist stay as they are and are refused by the schema. */
function edgeOfDay(date: string, edge: 'from' | 'to', zone: string): string {
  const start = Date.parse(date);
  if (Number.isNaN(start) || start < 0) return date;
  const { startOfDay } = zoneOf(zone);
  const days = start / DAY_MS;
  return toInstant(edge === 'from' ? startOfDay(days) : startOfDay(days + 1) - 1);
}
