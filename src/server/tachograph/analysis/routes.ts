import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { noteChange } from '../../kernel/audit/index.ts';
import { type App, flagParameter, member, principalOf, tenantOf, text, textLike } from '../../kernel/http/index.ts';
import { type Incoming, receive, type Upload } from '../files/incoming.ts';
import { tags, takeFiles } from '../files/routes.ts';
import type { Files, Outcome } from '../files/service.ts';
import type { FileRow } from '../files/store.ts';
import type { AnalyseAnswer } from '../reader/jobs.ts';
import type { Limits } from '../settings.ts';
import type { Analyst } from './index.ts';
import * as store from './store.ts';

const MAX_FILES = 50;

const inJson = z.strictObject({
  fileIds: z
    .array(text(100, 1, 'ddd_00019f0a1b2c0a1b2c3d4e5f'))
    .min(1)
    .max(MAX_FILES),
  save: z.boolean().default(true),
});

/** Of the two forms of a request, the one that generated clients use. */
const STORED_FILES = { mediaType: 'application/json', schema: z.toJSONSchema(inJson, { io: 'input' }) };

const count = z.number().int();
const result = z.object({
  fileId: member.fileId.nullable().describe('null: of a dry run, which keeps nothing'),
  name: textLike('C_20260501_0830_I100000123456001.ddd').nullable(),
  outcome: z
    .enum(['analysed', 'rehearsed', 'waiting', 'rejected'])
    .describe('waiting: stored, and to be analysed once somebody says whose card it is'),
  duplicate: z.boolean(),
  driverId: member.driverId.nullable(),
  driverIds: z.array(member.driverId).describe('of a unit: all of those who were analysed'),
  days: count.describe('that the file covers'),
  infringements: count.describe('that reach into the days of the file'),
  warnings: z.array(z.object({ code: z.string(), where: z.string().optional(), detail: z.string() })),
});
type Result = z.output<typeof result>;

export interface AnalysisRoutesDeps {
  readonly analyst: Analyst;
  readonly files: Files;
  readonly pool: Parameters<typeof store.ask>[0];
  readonly limits: Limits;
}

/** Operation 42. */
export async function addAnalysisRoutes(app: App, deps: AnalysisRoutesDeps): Promise<void> {
  await takeFiles(app, deps.limits, (scope) => {
    for (const path of ['/v1/drivers/ddd/files/analize_save', '/v1/drivers/ddd/files/analyze_save']) {
      scope.post(
        path,
        {
          config: { access: ['ddd:write'], errors: ['unknown-file', 'not-a-ddd'], takes: STORED_FILES },
          schema: {
            tags,
            summary: 'Analyse tachograph files and keep what comes of it',
            description:
              'A form with `files[]`, at most 50, which are stored first, or `{"fileIds": […]}`. Activities, days for ' +
              'payroll and infringements of their drivers are computed again from all of their files; the same files again ' +
              'change nothing. With `save=false` (a field of the form, of the query or of the body) nothing is stored: ' +
              'the answer is what each file by itself would give.',
            querystring: z.object({ save: flagParameter().optional() }),
            response: { 200: z.object({ results: z.array(result) }) },
          },
        },
        async (request, reply) => {
          const { save: asked } = request.query;
          const results = request.isMultipart()
            ? await ofForm(deps, request, reply, asked)
            : await ofStored(deps, tenantOf(request), inJson.safeParse(request.body), asked);
          if (results === undefined) return reply;
          noteChange(request, {
            object: 'ddd',
            after: { files: results.map(({ fileId, outcome }) => ({ fileId, outcome })) },
          });
          return { results };
        },
      );
    }
  });
}

/** Undefined if the form repeats an earlier one, whose answer has been sent. */
async function ofForm(
  deps: AnalysisRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: boolean | undefined,
): Promise<Result[] | undefined> {
  const tenantId = tenantOf(request);
  const upload = await receive(request, deps.limits, MAX_FILES);
  try {
    if (upload.digest !== undefined && (await request.isReplayOf(reply, upload.digest))) return undefined;
    if (upload.files.length === 0) throw new AppError('invalid', 'The form holds no file');
    if (!(asked ?? upload.fields['save'] !== 'false')) return await rehearse(deps, tenantId, upload);
    const outcomes = await deps.files.addAll(tenantId, principalOf(request).id, upload.files);
    const stored = outcomes.flatMap((outcome) => ('row' in outcome ? [outcome.row] : []));
    const analysed = await analyseAll(deps, tenantId, stored);
    const results: Result[] = [];
    for (const outcome of outcomes) results.push(await resultOf(deps, tenantId, outcome, analysed));
    return results;
  } finally {
    await upload.discard();
  }
}

async function ofStored(
  deps: AnalysisRoutesDeps,
  tenantId: number,
  parsed: ReturnType<typeof inJson.safeParse>,
  asked: boolean | undefined,
): Promise<Result[]> {
  if (!parsed.success) {
    const { path, message, code } = parsed.error.issues[0]!;
    if (code === 'too_big') throw new AppError('too-large', `At most ${MAX_FILES} files are analysed at once`);
    throw new AppError('invalid', 'The body is not valid', [{ pointer: `/${path.join('/')}`, detail: message }]);
  }
  const rows: FileRow[] = [];
  for (const id of parsed.data.fileIds) rows.push(await deps.files.find(tenantId, id));
  if (!(asked ?? parsed.data.save)) {
    const files: Incoming[] = rows.map(({ id, name }) => ({ name, bytes: () => deps.files.bytes(tenantId, id) }));
    return rehearse(deps, tenantId, { files });
  }
  const analysed = await analyseAll(deps, tenantId, rows);
  const results: Result[] = [];
  for (const row of rows) {
    results.push(await resultOf(deps, tenantId, { name: row.name, row, isDuplicate: false, findings: [] }, analysed));
  }
  return results;
}

/** Each driver once, however many of the files are theirs. */
async function analyseAll(
  { analyst, pool }: AnalysisRoutesDeps,
  tenantId: number,
  rows: readonly FileRow[],
): Promise<Map<string, AnalyseAnswer>> {
  const analysed = new Map<string, AnalyseAnswer>();
  for (const driverId of await store.driversOf(
    pool,
    tenantId,
    rows.map(({ id }) => id),
  )) {
    await store.ask(pool, tenantId, driverId);
    const done = await analyst.analyse(tenantId, driverId);
    if (done !== undefined) analysed.set(driverId, done.answer);
  }
  return analysed;
}

const DAY_MINUTES = 1_440;
const minuteOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 60_000;

async function resultOf(
  { files, pool }: AnalysisRoutesDeps,
  tenantId: number,
  outcome: Outcome,
  analysed: ReadonlyMap<string, AnalyseAnswer>,
): Promise<Result> {
  if ('problem' in outcome) return rejected(outcome.name, outcome.problem);
  const { row, isDuplicate } = outcome;
  const drivers = (await store.driversOf(pool, tenantId, [row.id])).filter((id) => analysed.has(id));
  const from = row.periodFrom === null ? 0 : minuteOf(row.periodFrom);
  const to = row.periodTo === null ? 0 : minuteOf(row.periodTo) + DAY_MINUTES;
  const found = drivers
    .flatMap((id) => analysed.get(id)!.analysis?.findings ?? [])
    .filter((finding) => finding.from < to && finding.to > from);
  const { findings } = await files.judgement(tenantId, row.id);
  const isWaiting = drivers.length === 0 && row.cardNumber !== null;
  return {
    fileId: row.id,
    name: outcome.name,
    outcome: isWaiting ? 'waiting' : 'analysed',
    duplicate: isDuplicate,
    driverId: row.driverId,
    driverIds: drivers,
    days: row.days,
    infringements: found.length,
    warnings: findings as Result['warnings'],
  };
}

const rejected = (name: string, problem: { readonly code: string; readonly detail: string }): Result => ({
  fileId: null,
  name,
  outcome: 'rejected',
  duplicate: false,
  driverId: null,
  driverIds: [],
  days: 0,
  infringements: 0,
  warnings: [problem],
});

async function rehearse(
  { analyst, files }: AnalysisRoutesDeps,
  tenantId: number,
  upload: Pick<Upload, 'files'>,
): Promise<Result[]> {
  const results: Result[] = [];
  const parts: Incoming[] = [];
  for (const file of upload.files) {
    try {
      parts.push(...(await files.unpack(tenantId, file)));
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      results.push(rejected(file.name, { code: error.code, detail: error.message }));
    }
  }
  for (const { name, bytes: read } of parts) {
    try {
      const bytes = await read();
      const facts = await files.look(tenantId, bytes);
      const { days, analysis } = await analyst.rehearse(tenantId, {
        fileId: name,
        bytes,
        downloadedAt: null,
        signatures: facts.signatures,
        isAdmitted: false,
      });
      results.push({
        fileId: null,
        name,
        outcome: 'rehearsed',
        duplicate: false,
        driverId: null,
        driverIds: [],
        days: days.dates.length,
        infringements: analysis?.findings.length ?? 0,
        warnings: [...facts.findings],
      });
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      results.push(rejected(name, { code: error.code, detail: error.message }));
    }
  }
  return results;
}
