import { createHash } from 'node:crypto';
import {
  type Analysis,
  analyse,
  buildTimeline,
  type DriverIdentity,
  driverOf,
  placesOf,
  type RuleFinding,
  type TachographFile,
  withoutCardOf,
} from '../server/tachograph/engine/index.ts';

/** Results of the rules for one of the drivers of a download. */
export interface DriverRules {
  readonly driver: DriverIdentity;
  readonly analysis: Analysis;
}

/** The rules over the file alone, for each driver in it. */
export function rulesOf(file: TachographFile, bytes: Uint8Array): DriverRules[] {
  const source = { fileId: createHash('sha256').update(bytes).digest('hex'), file };
  return driversOf(file).flatMap((driver): DriverRules[] => {
    const timeline = buildTimeline([source], driver);
    if (timeline === undefined) return [];
    const context = { places: placesOf([source], driver), withoutCard: withoutCardOf([source], [driver]) };
    return [{ driver, analysis: analyse(timeline, { driver, ...context }) }];
  });
}

function driversOf(file: TachographFile): DriverIdentity[] {
  const drivers = new Map<string, DriverIdentity>();
  const add = (driver: DriverIdentity | undefined): void => {
    if (driver !== undefined) drivers.set(`${driver.nation}/${driver.number}`, driver);
  };
  const card = file.kind === 'vehicle-unit' ? file.card : file;
  if (card !== undefined) add(driverOf(card));
  const days = file.kind === 'vehicle-unit' ? [...file.days, ...file.incompleteDays] : [];
  for (const { card } of days.flatMap(({ insertions }) => insertions)) {
    if (card?.type === 1) add({ nation: card.nation, number: card.number.slice(0, 14) });
  }
  return [...drivers.values()];
}

/** Tachographs record whole minutes: `2026-03-04T06:15Z`. */
const textOf = (minute: number): string => `${new Date(minute * 60_000).toISOString().slice(0, 16)}Z`;

/** `findings` and `notices` of `ddd --json`. */
export function describeRules(rules: readonly DriverRules[]): Record<string, unknown> {
  return {
    findings: rules.flatMap(({ driver, analysis }) => analysis.findings.map((found) => describe(found, driver))),
    notices: rules.flatMap(({ analysis }) =>
      analysis.notices.map(({ from, to, fileIds: _, ...rest }) => ({ ...rest, from: textOf(from), to: textOf(to) })),
    ),
    engine_version: rules[0]?.analysis.engineVersion,
    rules_version: rules[0]?.analysis.rulesVersion,
  };
}

function describe(found: RuleFinding, { nation, number }: DriverIdentity): Record<string, unknown> {
  const { id, rule, regulation, article, from, to, level, italian, justifiable, evidence } = found;
  const isDailyRest = rule === 'R1' || rule === 'R2' || rule === 'R3';
  return {
    id,
    rule,
    article: regulation === '561/2006' ? article : `${regulation} ${article}`,
    driver: { nation, number },
    from: textOf(from),
    to: textOf(to),
    ...(isDailyRest && { window_from: textOf(from), window_to: textOf(to) }),
    limit_min: found.limitMinutes,
    actual_min: found.actualMinutes,
    delta_min: found.deltaMinutes,
    ...(level !== null && { eu_level: level }),
    ...(italian !== null && { [italian.law === 'cds-174' ? 'cds' : 'dlgs_234']: fineOf(italian) }),
    status: justifiable === null ? 'open' : 'justifiable',
    ...(justifiable !== null && {
      justifiable: {
        article: justifiable.article,
        allowed_min: justifiable.allowedMinutes,
        compensate_by: textOf(justifiable.compensateBy),
      },
    }),
    evidence: evidence.map(({ kind, from, to, minutes, fileIds }) => ({
      kind,
      from: textOf(from),
      to: textOf(to),
      day: textOf(from).slice(0, 10),
      minutes,
      file_ids: fileIds,
    })),
    data_quality: { unknown_min: found.unknownMinutes },
    remarks: found.remarks,
    ...(found.derogation !== null && { derogation: found.derogation }),
  };
}

const fineOf = ({ comma, band, fine }: NonNullable<RuleFinding['italian']>): Record<string, unknown> => ({
  comma,
  ...(band !== null && { band }),
  ...(fine !== null && {
    min_eur: fine.minEur,
    max_eur: fine.maxEur,
    table: fine.table,
    approximate: fine.approximate,
  }),
});

export const summaryOfRules = (rules: readonly DriverRules[]): string[] =>
  rules.flatMap(({ analysis: { findings, notices } }) => [
    ...findings.map(
      ({ rule, article, regulation, from, actualMinutes, limitMinutes, level, derogation }) =>
        `finding     ${rule} ${textOf(from)} ${clock(actualMinutes)} of ${clock(limitMinutes)}, ${level ?? 'not graded'}, ${regulation} art. ${article}` +
        (derogation === null ? '' : `; derogation possible, art. ${derogation.article}: check ${derogation.check}`),
    ),
    ...notices.map(({ kind, from, to, detail }) => `notice      ${kind} ${textOf(from)} to ${textOf(to)}: ${detail}`),
  ]);

const clock = (minutes: number): string => `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
