export type { Absence } from './absences.ts';
export { analyse } from './analyse.ts';
export type {
  Analysis,
  AnalysisOptions,
  DailyPeriod,
  KnownPlace,
  WeeklyRest,
} from './analysis.ts';
export {
  CHECKS,
  type Derogation,
  ENGINE_VERSION,
  type Notice,
  REMARKS,
  type Remark,
  RULE_IDS,
  type RuleFinding,
  type RuleId,
  rankOf,
  worst,
} from './findings.ts';
export { correctedAway } from './notices.ts';
export { placesOf } from './places.ts';
export { type Residual, residual } from './residual.ts';
export { withoutCardOf } from './without-card.ts';
