import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { type App, MIN_INSTANT_MS } from '../../kernel/http/index.ts';
import { type Context, intervalOf } from './request.ts';
import { type RouteKit, traccarRoute } from './routes.ts';
import { demandAdministrator } from './user.ts';

interface UsageDay {
  readonly day: string;
  readonly requests: number;
  readonly activeUsers: number;
  readonly activeDevices: number;
  readonly framesReceived: number;
  readonly positionsStored: number;
}

/** Counts of a day, captured when it ended; those of the running day now. */
const toStatistics = (usage: UsageDay, now: number) => {
  const start = Date.parse(usage.day);
  const { requests, activeUsers, activeDevices, framesReceived, positionsStored } = usage;
  return {
    id: start / DAY_MS,
    captureTime: new Date(Math.min(start + DAY_MS, now)).toISOString(),
    activeUsers,
    activeDevices,
    requests,
    messagesReceived: framesReceived,
    messagesStored: positionsStored,
    attributes: {},
  };
};

async function statisticsOf(context: Context, interval: ReturnType<typeof intervalOf>, clock: Clock) {
  await demandAdministrator(context, 'Statistics are for administrators');
  const [from, to] = [Date.parse(interval.from), Date.parse(interval.to)];
  const query = { from: new Date(Math.max(from - DAY_MS, MIN_INSTANT_MS)).toISOString(), to: interval.to };
  const found: ReturnType<typeof toStatistics>[] = [];
  const now = clock.now();
  for await (const usage of context.operations.list<UsageDay>('/v1/usage', query)) {
    const statistics = toStatistics(usage, now);
    const at = Date.parse(statistics.captureTime);
    if (at >= from && at <= to) found.push(statistics);
  }
  return found;
}

export function addStatistics(app: App, { contextOf }: RouteKit, clock: Clock): void {
  app.get('/statistics', traccarRoute(), (request) => statisticsOf(contextOf(request), intervalOf(request), clock));
}
