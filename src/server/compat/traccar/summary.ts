import { AppError } from '../../../platform/errors.ts';
import { isZone, zoneOf } from '../../alerts/rules/index.ts';
import type { FleetDevice } from './device.ts';
import { unless } from './operations.ts';
import { attributesOf, textOf, type Values } from './record-values.ts';
import { fuel, type Interval, knots, nameOf, type OwnRoute, routesOf } from './report-rows.ts';
import type { Context } from './request.ts';
import { toKnots } from './units.ts';

/** epoch ms, both ends included */
interface Span {
  readonly from: number;
  readonly to: number;
}
/** First and last fix of a span, epoch ms. */
type Fixes = readonly [first: number, last: number];

/** of the fixes of an interval, whose times are read at once; a device with more is asked for each day */
const MAX_POINTS = 20_000;

const toSpan = ({ from, to }: Interval): Span => ({ from: Date.parse(from), to: Date.parse(to) });
const toInterval = ({ from, to }: Span): Interval => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/**
 * Name of the zone whose days a caller counts: the one that a client has stored for the user, otherwise that of the
 * user here.
 */
export async function zoneOfCaller({ caller, operations, ids, tenantId }: Context): Promise<string> {
  const { kind, id } = caller.principal;
  const data = kind === 'user' ? (await ids.dataOf(tenantId, 'user', [id])).get(id) : undefined;
  const stored = textOf((attributesOf(data) as Values)['timezone']);
  if (stored === undefined) {
    return (await operations.call<{ user: { timezone: string } }>('GET', '/v1/app/me')).user.timezone;
  }
  if (!isZone(stored)) throw new AppError('unknown-timezone', `The attribute timezone of the user is ${stored}`);
  return stored;
}

/** The parts of an interval that lie in one day each: the day that clocks are changed on is not of 24 h. */
function daysOf({ from, to }: Span, zone: string): Span[] {
  const { dayOf, startOfDay } = zoneOf(zone);
  const days: Span[] = [];
  for (let at = from; at <= to; ) {
    const next = startOfDay(dayOf(at) + 1);
    days.push({ from: at, to: Math.min(to, next - 1) });
    at = next;
  }
  return days;
}

/**
 * A row of the whole interval, or one of each day of a zone, where there are fixes, as Traccar has it. Routes are cut
 * at the ends of a day.
 */
export async function summariesOf(context: Context, of: FleetDevice, interval: Interval, zone: string | undefined) {
  // an interval that is too long is refused before its days are looked for
  const path = await timesOf(context, of.imei, interval, zone === undefined ? 2 : MAX_POINTS);
  if (path.times.length === 0) return [];
  const spans = zone === undefined ? [toSpan(interval)] : daysOf(toSpan(interval), zone);
  const routes = await routesOf(context, of.imei, interval, 'fuel');
  const rows: ReturnType<typeof summarize>[] = [];
  for (const span of spans) {
    // the first and the last fix of the interval are always included
    const isKnown = spans.length === 1 || !path.isThinned;
    const times = isKnown ? path.times : (await timesOf(context, of.imei, toInterval(span), 2)).times;
    const ends = endsOf(times, span);
    if (ends === undefined) continue;
    const touching = routes.filter(
      ({ start, end }) => Date.parse(start.at) <= span.to && Date.parse(end.at) >= span.from,
    );
    const isCut = touching.some(({ start, end }) => Date.parse(start.at) < span.from || Date.parse(end.at) > span.to);
    const own = isCut ? await routesOf(context, of.imei, toInterval(span), 'fuel') : touching;
    rows.push(summarize(of, own, ends));
  }
  return rows;
}

function endsOf(times: readonly number[], { from, to }: Span): Fixes | undefined {
  const first = times.find((at) => at >= from && at <= to);
  const last = times.findLast((at) => at >= from && at <= to);
  return first === undefined || last === undefined ? undefined : [first, last];
}

interface OwnPath {
  readonly points: readonly { readonly fixTime: string }[];
  readonly downsampled: boolean;
}

async function timesOf({ operations }: Context, imei: string, interval: Interval, maxPoints: number) {
  const body = { imei, ...interval, maxPoints, fields: ['fixTime'] };
  const path = await unless(['no-position-yet'], operations.call<OwnPath>('PUT', '/v1/vehicles/percorso', body));
  const { points = [], downsampled = false } = path ?? {};
  return { times: points.map(({ fixTime }) => Date.parse(fixTime)), isThinned: downsampled };
}

function summarize(of: FleetDevice, routes: readonly OwnRoute[], [first, last]: Fixes) {
  const sum = (part: (route: OwnRoute) => number): number => routes.reduce((total, route) => total + part(route), 0);
  const distance = sum(({ distanceM }) => distanceM);
  const movingS = sum(({ movingS: s }) => s);
  const known = routes.flatMap(({ fuelUsedL }) => fuelUsedL ?? []);
  return {
    ...nameOf(of),
    distance,
    averageSpeed: movingS === 0 ? 0 : toKnots((distance / movingS) * 3.6),
    maxSpeed: knots(Math.max(0, ...routes.map(({ maxSpeed }) => maxSpeed ?? 0))),
    ...fuel(known.length === 0 ? null : known.reduce((total, liters) => total + liters, 0)),
    startTime: new Date(first).toISOString(),
    endTime: new Date(last).toISOString(),
  };
}
