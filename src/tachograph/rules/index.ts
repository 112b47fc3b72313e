export { analyse } from './analyse.ts';
export type {
  ActivityTotals as Sums,
  Analysis,
  AnalysisOptions,
  Compensation,
  DailyPeriod,
  DailyRest,
  DayTotals as DaySums,
  KnownPlace,
  ReferencePeriod,
  WeeklyRest,
  WeekTotals as WeekSums,
} from './analysis.ts';
export {
  ENGINE_VERSION,
  type Evidence,
  type Fine,
  type ItalianGrade,
  type Justification,
  type Level,
  type Notice,
  REMARKS,
  type Remark,
  RULES_VERSION,
  type RuleFinding,
  type RuleId,
  rankOf,
  worst,
} from './findings.ts';
export { correctedAway } from './notices.ts';
export { placesOf } from './places.ts';
export { type Residual, residual } from './residual.ts';
export { withoutCardOf } from './without-card.ts';
