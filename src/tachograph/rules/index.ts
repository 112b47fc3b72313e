export { analyse } from './analyse.ts';
export type {
  Analysis,
  AnalysisOptions,
  Compensation,
  DailyPeriod,
  DailyRest,
  DaySums,
  KnownPlace,
  ReferencePeriod,
  Sums,
  WeeklyRest,
  WeekSums,
} from './analysis.ts';
export {
  ENGINE_VERSION,
  type Evidence,
  type Fine,
  type ItalianGrade,
  type Justification,
  type Level,
  type Notice,
  type Remark,
  RULES_VERSION,
  type RuleFinding,
  type RuleId,
  rankOf,
  worst,
} from './findings.ts';
export { placesOf } from './places.ts';
export { type Residual, residual } from './residual.ts';
export { withoutCardOf } from './without-card.ts';
