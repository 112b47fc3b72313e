import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { instant } from '../../../contract/position.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type App, member, textLike, toInstant } from '../../kernel/http/index.ts';
import { CABOTAGE_REMARKS } from '../engine/transport/cabotage.ts';
import type { PeriodEnd } from '../engine/transport/periods.ts';
import { tags } from '../files/routes.ts';
import { bodyOfDrivers, type OfDriversDeps, routeOfDrivers, sendOfDrivers } from '../reports/of-drivers.ts';
import { packed } from '../reports/send.ts';
import { postingReport } from './document.ts';
import { MAX_DRIVERS, type PostingList, postingList } from './posting.ts';

const body = bodyOfDrivers(MAX_DRIVERS, 'all who were abroad, or loaded or unloaded');
type Body = z.output<typeof body>;

const nation = z.number().int().nullable().describe('NationNumeric; null: not known');
const country = z.number().int().describe('NationNumeric');
const end = z.object({
  calendar: instant.describe('midnight after the last calendar day'),
  extended: instant.describe('by Regulation 1182/71, with Saturdays and Sundays; public holidays are not known'),
});
const operation = z.object({
  id: textLike('drv_0a1b2c3d4e5f6a7b8c'),
  source: z.enum(['recorded', 'entered']),
  targa: member.targa.nullable(),
  loadedAt: instant.nullable(),
  loadedIn: nation,
  unloadedAt: instant.nullable(),
  unloadedIn: nation,
  kind: z.enum(['national', 'bilateral', 'cross-trade', 'cabotage', 'undetermined']),
  combinedTransport: z.boolean(),
  assumed: z.boolean().describe('which loading belongs to which unloading is assumed'),
});

const answer = z.object({
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  establishment: country,
  drivers: z.array(
    z.object({
      id: textLike('drv_0a1b2c3d4e5f6a7b8c'),
      name: member.name,
      licenceNumber: z.string().nullable(),
      cardNumbers: z.array(member.cardNumber),
      postings: z.array(
        z.object({
          country,
          from: z.string(),
          to: z.string(),
          types: z.array(z.enum(['international', 'cabotage'])),
          targhe: z.array(member.targa),
          operationIds: z.array(z.string()),
          incomplete: z.boolean().describe('a loading, an unloading or a border is not known'),
        }),
      ),
      operations: z.array(
        operation.extend({
          posted: z.boolean().nullable().describe('null: it cannot be decided'),
          additional: z.boolean().describe('an activity in addition to a bilateral operation'),
          clause: z.string().nullable(),
        }),
      ),
      stays: z.array(
        z.object({
          country,
          from: instant,
          to: instant.nullable(),
          crossing: z.boolean().describe('the border crossing was recorded'),
          purpose: z.enum(['loading', 'transit', 'unladen', 'undetermined']),
        }),
      ),
    }),
  ),
  vehicles: z.array(
    z.object({
      targa: member.targa,
      operations: z.array(
        z.object({
          operation,
          country,
          number: z.number().int().describe('after the incoming carriage, from 1; 0: there was none'),
          until: end.nullable(),
          status: z.enum(['allowed', 'review', 'not-allowed']),
          remarks: z.array(z.enum(CABOTAGE_REMARKS)),
        }),
      ),
      open: z.object({ country, remaining: z.number().int(), until: end }).nullable(),
      coolingOff: z.array(z.object({ country, until: end })),
      complete: z
        .boolean()
        .describe('false: the user does not see the vehicle, and only drivers that the user sees are counted'),
    }),
  ),
});

const instantOf = (seconds: number): string => toInstant(seconds * 1000);
const instantOrNull = (seconds: number | null): string | null => (seconds === null ? null : instantOf(seconds));
const endOf = ({ calendar, extended }: PeriodEnd) => ({
  calendar: instantOf(calendar),
  extended: instantOf(extended),
});

type ListedOperation = PostingList['vehicles'][number]['operations'][number]['operation'];
const operationJson = (each: ListedOperation): z.output<typeof operation> => ({
  id: each.id,
  source: each.source,
  targa: each.plate,
  loadedAt: instantOrNull(each.loadedAt),
  loadedIn: each.loadedIn,
  unloadedAt: instantOrNull(each.unloadedAt),
  unloadedIn: each.unloadedIn,
  kind: each.kind,
  combinedTransport: each.isCombined,
  assumed: each.isAssumed,
});

const listJson = ({ drivers, vehicles }: PostingList): Pick<z.output<typeof answer>, 'drivers' | 'vehicles'> => ({
  drivers: drivers.map(({ driver, postings, operations, stays }) => ({
    id: driver.id,
    name: driver.name,
    licenceNumber: driver.licenceNumber,
    cardNumbers: [...driver.cards],
    postings: postings.map(({ plates, types, operationIds, isIncomplete, ...each }) => ({
      ...each,
      types: [...types],
      targhe: [...plates],
      operationIds: [...operationIds],
      incomplete: isIncomplete,
    })),
    operations: operations.map((each) => ({
      ...operationJson(each),
      posted: each.isPosted,
      additional: each.isAdditional,
      clause: each.clause,
    })),
    stays: stays.map((stay) => ({
      country: stay.country,
      from: instantOf(stay.from),
      to: instantOrNull(stay.to),
      crossing: stay.isCrossing,
      purpose: stay.purpose,
    })),
  })),
  vehicles: vehicles.map(({ targa, operations, open, coolingOff, isComplete }) => ({
    targa,
    complete: isComplete,
    operations: operations.map((each) => ({
      operation: operationJson(each.operation),
      country: each.country,
      number: each.number,
      until: each.until && endOf(each.until),
      status: each.status,
      remarks: [...each.remarks],
    })),
    open: open && { country: open.country, remaining: open.remaining, until: endOf(open.until) },
    coolingOff: coolingOff.map((each) => ({ country: each.country, until: endOf(each.until) })),
  })),
});

export interface PostingDeps extends OfDriversDeps {
  readonly clock: Clock;
}

/** Posting of drivers and cabotage as a list. */
export function addPostingRoute(app: App, { clock, ...deps }: PostingDeps): void {
  app.post(
    '/v1/drivers/ddd/posting_file',
    {
      config: routeOfDrivers('ddd.posting-file'),
      schema: {
        tags,
        summary: 'Posting of drivers and cabotage, as a list for declarations',
        description:
          'Carriages of drivers by recorded border crossings, loading and unloading, and by what persons entered: bilateral, ' +
          'cross-trade or cabotage, whether the driver is posted (Directive (EU) 2020/1057, article 1), the days of each ' +
          'posting with what a declaration in IMI asks for, and the cabotage of the vehicles (Regulation (EC) No 1072/2009, ' +
          'article 8): three operations in seven days, one in three days in other states, four days of cooling-off. All ' +
          'drivers of a vehicle count, also those that a restricted user does not see, if the user sees the vehicle. The state of establishment is `homeNation` of the ' +
          'settings. CSV contains the postings. 366 days are the most.',
        body: body.meta({
          example: { drivers: ['drv_0a1b2c3d4e5f6a7b8c'], from: '2026-05-01', to: '2026-05-31', format: 'json' },
        }),
        response: { 200: z.union([answer, packed]) },
      },
    },
    (request: FastifyRequest<{ Body: Body }>, reply: FastifyReply) =>
      sendOfDrivers(request, reply, deps, 'posting', async ({ tenantId, drivers, scope, terms }) => {
        const { from, to, zone } = scope;
        const establishment = terms.homeNation;
        const query = { drivers, from, to, zone, establishment, now: clock.now() };
        const list = await postingList(deps.pool, tenantId, query);
        return { json: { establishment, ...listJson(list) }, report: () => postingReport(list, scope) };
      }),
  );
}
