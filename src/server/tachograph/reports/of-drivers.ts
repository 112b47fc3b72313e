import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { z } from 'zod';
import type { Report } from '../../documents/report.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { tenantOf, text } from '../../kernel/http/index.ts';
import type { Analyst } from '../analysis/index.ts';
import type { Reader } from '../reader/index.ts';
import { employerText, type TermsInForce, termsOf } from '../terms/index.ts';
import type { Language } from './labels.ts';
import { datesOf, edge, format, lang, zone } from './request.ts';
import { FILE_TYPES, formatOf, sendReport } from './send.ts';

const NO_DAYS = { from: '1990-01-01', to: '9999-12-31' };

/** What a report of several drivers is asked by; `all` says which drivers it is about without `drivers`. */
export const bodyOfDrivers = (most: number, all: string) =>
  z.object({
    drivers: z
      .array(text(100, 1, 'drv_0a1b2c3d4e5f6a7b8c'))
      .min(1)
      .max(most)
      .optional()
      .describe(`${all}, without it`),
    from: edge,
    to: edge,
    format,
    tz: zone.optional().describe('of the days; by default that of payroll'),
    lang,
  });
type Body = z.output<ReturnType<typeof bodyOfDrivers>>;

/** Config of a route that answers by `sendOfDrivers`. */
export const routeOfDrivers = (audit: string) => ({
  access: ['ddd:read' as const],
  produces: '*/*' as const,
  files: FILE_TYPES,
  hasOwnZone: true,
  audit,
  errors: ['unknown-driver', 'no-data', 'from-after-to', 'interval-too-long'] as const,
});

export interface OfDriversDeps {
  readonly pool: pg.Pool;
  readonly reader: Reader;
  readonly analyst: Analyst;
}

/** Days and words of a report. */
export interface Scope {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly language: Language;
  readonly employer: string;
}

interface Asked {
  readonly tenantId: number;
  readonly drivers: readonly string[] | undefined;
  readonly scope: Scope;
  readonly terms: TermsInForce;
}

interface Content {
  /** beside the interval */
  readonly json: object;
  readonly report: () => Report;
}

/** Waits for the analysis of the drivers and answers in the format that was asked for; `make` is asked for the content. */
export async function sendOfDrivers(
  request: FastifyRequest<{ Body: Body }>,
  reply: FastifyReply,
  { pool, reader, analyst }: OfDriversDeps,
  name: string,
  make: (asked: Asked) => Promise<Content>,
): Promise<void> {
  const tenantId = tenantOf(request);
  const { drivers, lang: language, tz } = request.body;
  const terms = await termsOf(pool, tenantId);
  const used = tz ?? terms.zone;
  const { from, to } = datesOf(request.body, used, NO_DAYS);
  await analyst.settle(tenantId, drivers);
  const scope = { from, to, zone: used, language, employer: employerText(terms, language) };
  const { json, report } = await make({ tenantId, drivers, scope, terms });
  const chosen = formatOf(request, request.body.format);
  noteChange(request, { object: drivers?.join(',') ?? 'all drivers', after: { from, to, format: chosen } });
  return sendReport(request, reply, reader, chosen, {
    name: `${name}_${from}_${to}`,
    json: { from, to, zone: used, ...json },
    report,
  });
}
