import { z } from 'zod';
import { DAY_MS } from '../../../platform/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type App, tenantOf } from '../../kernel/http/index.ts';
import { JSON_TYPE, streamAnswer, writeObject } from './answer-stream.ts';
import type { Calendar } from './calendar.ts';
import { checkPolygon, polygonAnswer, polygonBody, polygonQuery, readPolygonRequest } from './check-polygon.ts';
import {
  checkInterval,
  type Interval,
  POINT_DAYS,
  queryInterval,
  readEdge,
  readInterval,
  targaText,
  tz,
  writable,
} from './interval.ts';
import { calendarFor, type Movement } from './movement.ts';
import { type PolylineRequest, polylineAnswer, polylineBody, polylineOptions, writePolyline } from './polyline.ts';
import { WAY_REFUSALS } from './refusals.ts';
import { findTracked } from './vehicle-lookup.ts';

const params = z.object({ targa: targaText });

/** Operations 2, 30 and 31. */
export function addPolylineRoutes(app: App, movement: Movement): void {
  app.put(
    '/v1/vehicles/:targa/checkpoi',
    {
      config: {
        access: ['positions:read'],
        errors: [...WAY_REFUSALS, 'polygon-not-closed', 'polygon-self-intersects'],
      },
      schema: {
        tags: ['movement'],
        summary: 'Visits of a vehicle to a polygon',
        description:
          'Valid fixes alone, by the time of the fix. Between two fixes the vehicle goes straight and evenly, so that ' +
          'crossings lie between them; over a gap longer than `maxGapMs` nothing is interpolated: it ends a visit, and ' +
          'one that begins behind it is `uncertain` too. The boundary is inside. An edge or a path of more than 180° of ' +
          'longitude is taken across the antimeridian. `dwellMs` of a visit that has not ended runs to the ' +
          'last fix; a visit that had already begun counts from the start of the interval. At most 31 days.',
        params,
        querystring: polygonQuery,
        body: polygonBody,
        response: { 200: polygonAnswer },
      },
    },
    async (request, reply) => {
      const question = { ...request.body, ...request.query };
      readPolygonRequest(question);
      const tenantId = tenantOf(request);
      const vehicle = await findTracked(movement.vehicles, tenantId, request.params.targa, question);
      return streamAnswer(reply, JSON_TYPE, async (write, signal) =>
        writeObject(write, { ...(await checkPolygon(movement.pools, tenantId, vehicle, question, signal)) }),
      );
    },
  );
  addPolylineRoute(app, movement);
}

function addPolylineRoute(app: App, movement: Movement): void {
  const answer = async (
    { tenantId, targa }: { readonly tenantId: number; readonly targa: string },
    question: PolylineRequest,
    reply: Parameters<typeof streamAnswer>[0],
  ): Promise<void> => {
    checkInterval(question, POINT_DAYS);
    if (question.matched) throw new AppError('matching-unavailable', 'There is no map to match positions to');
    const vehicle = await findTracked(movement.vehicles, tenantId, targa, question);
    return streamAnswer(reply, JSON_TYPE, (write, signal) =>
      writePolyline(movement.pools.streams, tenantId, vehicle, question, write, signal),
    );
  };
  const schema = {
    tags: ['movement'],
    summary: 'The path of a vehicle as an encoded polyline',
    description:
      'Valid fixes by the time of the fix. `polyline` is the whole path, `segments` its parts between gaps longer than ' +
      '`maxGapMs`. At most 31 days; the answer comes as it is read.',
    params,
    response: { 200: polylineAnswer },
  };
  app.put(
    '/v1/vehicles/:targa/polyline',
    {
      config: {
        access: ['positions:read'],
        errors: [...WAY_REFUSALS, 'matching-unavailable'],
      },
      schema: { ...schema, body: polylineBody },
    },
    (request, reply) => answer({ tenantId: tenantOf(request), targa: request.params.targa }, request.body, reply),
  );
  app.get(
    '/v1/vehicles/:targa/polyline',
    {
      config: {
        access: ['positions:read'],
        errors: [...WAY_REFUSALS, 'matching-unavailable'],
      },
      schema: {
        ...schema,
        querystring: polylineOptions.extend({
          from: queryInterval.from.optional(),
          to: queryInterval.to.optional(),
          tz,
        }),
      },
    },
    async (request, reply) => {
      const tenantId = tenantOf(request);
      const calendar = await calendarFor(movement, tenantId, request.query.tz);
      const interval = intervalOrToday(request.query, calendar, movement.now());
      return answer({ tenantId, targa: request.params.targa }, { ...request.query, ...interval }, reply);
    },
  );
}

/** Today where nothing is asked for; a day where one end is. */
function intervalOrToday(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  calendar: Calendar,
  now: number,
): Interval {
  if (from !== undefined && to !== undefined) return readInterval({ from, to }, calendar);
  if (from !== undefined) {
    const first = readEdge(from, 'from', calendar);
    return { from: first, to: writable(first + DAY_MS - 1) };
  }
  if (to !== undefined) {
    const last = readEdge(to, 'to', calendar);
    return { from: writable(last - DAY_MS + 1), to: last };
  }
  const today = calendar.dayOf(now);
  return readInterval({ from: today, to: today }, calendar);
}
