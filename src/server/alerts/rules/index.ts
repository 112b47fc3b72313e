export { isZone, zoneOf } from '../../../platform/zone.ts';
export { type Tank, tankOf } from '../../movement/track/fuel-gauge.ts';
export type { Area } from './area.ts';
export { commandEnded, silentSince } from './device-events.ts';
export { alarmOf, amendmentOf, difference, type KnownEpisode, keyOf } from './difference.ts';
export { DAYS, type Hours } from './hours.ts';
export type { Judge } from './judge.ts';
export { comparePlaces } from './order.ts';
export { compile, type Evaluation, episodesOf, type Start } from './rule.ts';
export {
  type AlarmEvent,
  type Episode,
  type Judgement,
  NOTHING_KNOWN,
  type Part,
  partsOf,
  type ReportPlace,
  type RuleState,
  type Spot,
} from './state.ts';
export {
  type Fix,
  type Limits,
  type Params,
  PRIORITIES,
  RULE_TYPES,
  type Rule,
  type RuleType,
} from './types.ts';
