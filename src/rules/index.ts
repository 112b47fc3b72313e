export type { Area } from './area.ts';
export { commandEnded, silentSince } from './device-events.ts';
export { DAYS, type Day, type DayHours, type Hours } from './hours.ts';
export { compile, type Evaluation } from './rule.ts';
export { type AlarmEvent, NOTHING_KNOWN, type RuleState } from './state.ts';
export { type Fix, type Params, PRIORITIES, type Priority, RULE_TYPES, type Rule, type RuleType } from './types.ts';
export { isZone, zoneOf } from './zone.ts';
