import { render } from '../../documents/index.ts';
import type { Format, Report } from '../../documents/report.ts';
import {
  type DriverIdentity,
  parseTachograph,
  type Roots,
  type TimelineSource,
  trustedPart,
  verifyTachograph,
} from '../engine/index.ts';
import { type AnalyseDaysOptions, analyseDays, residualAt } from '../engine/reports/analyse-days.ts';
import { type Correction, correctDays } from '../engine/reports/corrections.ts';
import {
  type DriverDay,
  driverDays,
  packDay,
  type StoredDay,
  timelineOf,
  unpackDay,
} from '../engine/reports/driver-days.ts';
import { type FileFacts, factsOf } from '../engine/reports/file-facts.ts';
import { type UnitDayFacts, unitDayFacts } from '../engine/reports/mileage.ts';
import { type PayrollOptions, payrollDays } from '../engine/reports/payroll-days.ts';
import { type UnitReport, unitReportOf } from '../engine/reports/unit-report.ts';
import { type Analysis, correctedAway, type Residual, withoutCardOf } from '../engine/rules/index.ts';

import { type PartReference, readPart, type Unpacked, type UnpackLimits, unpack as unpackFile } from './unpack.ts';

export interface StoredBytes {
  readonly fileId: string;
  readonly bytes: Uint8Array;
  /** seconds, if it is known */
  readonly downloadedAt: number | null;
  /** as they were checked */
  readonly signatures: FileFacts['signatures'];
  /** a person has admitted it although signatures are invalid */
  readonly isAdmitted: boolean;
}

export interface DatedDay {
  readonly date: string;
  readonly kept: StoredDay;
}

export interface AnalyseRequest {
  /** of the driver and of the vehicles that they drove */
  readonly files: readonly StoredBytes[];
  /** empty: the holder of the card in the first file */
  readonly drivers: readonly DriverIdentity[];
  /** what infringements are named after; a driver's record outlives their cards */
  readonly identity?: DriverIdentity | undefined;
  /** damaged files contain days of any century: what lies outside is left out; `yyyy-mm-dd` */
  readonly within: { readonly from: string; readonly to: string };
  /** days that are kept of files that are kept no more */
  readonly earlier: readonly DatedDay[];
  /** what persons have said of the driver's time; days are stored without it */
  readonly corrections: readonly Correction[];
  readonly rules: AnalyseDaysOptions;
  readonly payroll: PayrollOptions;
}

/** Days as they are written to the database: one text, which threads and the database take much cheaper than objects. */
export interface WrittenDays {
  readonly dates: readonly string[];
  /** JSON: `[["2026-03-02", {…}], …]` with a KeptDay, or a PayrollDay without its date */
  readonly json: string;
}

export interface AnalyseAnswer {
  /** the content of the files */
  readonly days: WrittenDays;
  readonly analysis: Pick<Analysis, 'engineVersion' | 'rulesVersion' | 'findings' | 'notices'> | undefined;
  readonly payroll: WrittenDays;
}

function written<T extends { readonly date: string }>(days: readonly T[], content: (day: T) => object): WrittenDays {
  return {
    dates: days.map(({ date }) => date),
    json: JSON.stringify(days.map((day) => [day.date, content(day)])),
  };
}

export interface EvaluateRequest {
  readonly days: readonly DatedDay[];
  readonly corrections?: readonly Correction[];
  readonly identity: DriverIdentity;
  readonly rules: AnalyseDaysOptions;
}

const unpack = (days: readonly DatedDay[]): DriverDay[] => days.map(({ date, kept }) => unpackDay(date, kept));
const UNKNOWN_DRIVER: DriverIdentity = { nation: 0, number: '' };

function analyseFiles({
  files,
  earlier,
  corrections,
  rules,
  payroll,
  within,
  ...request
}: AnalyseRequest): AnalyseAnswer {
  const sources = files.flatMap(({ bytes, downloadedAt, ...about }): TimelineSource[] => {
    const file = parseTachograph(bytes);
    return file === undefined ? [] : [{ ...about, file, ...(downloadedAt === null ? {} : { downloadedAt }) }];
  });
  const drivers =
    request.drivers.length > 0
      ? request.drivers
      : sources.flatMap(({ file }) => factsOf(file, { blocks: [] }).drivers).slice(0, 1);
  const days = driverDays(sources, drivers).filter(({ date }) => date >= within.from && date <= within.to);
  const first = days[0]?.date ?? '9999';
  const recorded = [...unpack(earlier).filter(({ date }) => date < first), ...days];
  const all = correctDays(recorded, corrections);
  const timeline = timelineOf(all);
  const rulesWithCards = { ...rules, withoutCard: withoutCardOf(sources.map(trustedPart), drivers) };
  const identity = request.identity ?? drivers[0] ?? UNKNOWN_DRIVER;
  const analysis = analyseDays(all, identity, rulesWithCards, timeline);
  const before = all === recorded ? undefined : analyseDays(recorded, identity, rulesWithCards);
  return {
    days: written(days, packDay),
    analysis: analysis && {
      engineVersion: analysis.engineVersion,
      rulesVersion: analysis.rulesVersion,
      findings: analysis.findings,
      notices: before === undefined ? analysis.notices : correctedAway(before, analysis, identity),
    },
    payroll: written(payrollDays(all, payroll, timeline), ({ date: _, ...day }) => day),
  };
}

/** Texts of damaged files hold U+0000, which no database takes. */
function storable<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll('\0', '') as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, storable(each)])) as T;
}

export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** seconds */
  readonly receivedAt?: number;
}

export interface PartRequest {
  readonly bytes: Uint8Array;
  readonly part: Pick<PartReference, 'entry' | 'part'>;
  readonly limits: UnpackLimits;
}

/** What a thread of its own does for the API. Each takes and gives what can be sent between threads. */
const jobs = {
  /** `undefined`: no download */
  async read({ bytes, receivedAt }: ReadRequest, roots: Roots): Promise<FileFacts | undefined> {
    const file = parseTachograph(bytes);
    return file === undefined ? undefined : storable(factsOf(file, verifyTachograph(bytes, roots), receivedAt));
  },
  /** what a unit has recorded about itself; `undefined`: the file is not one of a unit */
  async unit({ bytes }: { readonly bytes: Uint8Array }): Promise<UnitReport | undefined> {
    const file = parseTachograph(bytes);
    return file?.kind === 'vehicle-unit' ? storable(unitReportOf(file)) : undefined;
  },
  /** days of the vehicle of a unit; `undefined`: the file is not one of a unit */
  async unitDays({ bytes }: { readonly bytes: Uint8Array }): Promise<UnitDayFacts[] | undefined> {
    const file = parseTachograph(bytes);
    return file?.kind === 'vehicle-unit' ? unitDayFacts(file) : undefined;
  },
  /** lists the downloads in an archive, or in a file with several cards */
  async unpack({ bytes, limits }: { readonly bytes: Uint8Array; readonly limits: UnpackLimits }): Promise<Unpacked> {
    return unpackFile(bytes, limits);
  },
  /** one of the downloads that `unpack` has listed */
  async part({ bytes, part, limits }: PartRequest): Promise<Uint8Array> {
    return readPart(bytes, part, limits);
  },
  /** days, infringements and payroll of a driver over their files */
  async analyse(request: AnalyseRequest): Promise<AnalyseAnswer> {
    return analyseFiles(request);
  },
  /** the rules over stored days; `undefined` without days */
  async judge({ days, identity, rules }: EvaluateRequest): Promise<Analysis | undefined> {
    return analyseDays(unpack(days), identity, rules);
  },
  /** what is left to a driver at a minute; `undefined` where nothing is known */
  async residual({
    days,
    corrections = [],
    identity,
    rules,
    at,
  }: EvaluateRequest & { readonly at: number }): Promise<Residual | undefined> {
    return residualAt(correctDays(unpack(days), corrections), identity, rules, at);
  },
  async render({ report, format }: { readonly report: Report; readonly format: Format }): Promise<Uint8Array> {
    return render(report, format);
  },
};

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
export type JobRequest<N extends JobName> = Parameters<Jobs[N]>[0];
export type Answer<N extends JobName> = Awaited<ReturnType<Jobs[N]>>;

export type JobResult<N extends JobName> = Promise<Answer<N>>;

/** By name, so that a request has the type of its job. */
export const jobsByName: { readonly [N in JobName]: (request: JobRequest<N>, roots: Roots) => JobResult<N> } = jobs;

/** A job that a thread runs: its name and the request of that job. */
export type Order<N extends JobName = JobName> = {
  readonly [K in N]: { readonly id: number; readonly name: K; readonly request: JobRequest<K> };
}[N];

/** `problem` never holds what a file says. */
export type Delivery =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly problem: string };
