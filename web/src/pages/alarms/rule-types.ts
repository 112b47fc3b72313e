import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { RULE_TYPES } from '../../lists.ts';

export type Rule =
  paths['/v1/notifications/{id}']['get']['responses']['200']['content']['application/json']['rules'][number];
export type RuleInput =
  paths['/v1/{version}/notifications']['put']['requestBody']['content']['application/json']['notification_data'];
export type RuleType = RuleInput['type'];

/** A member of `params` that is typed in a field of its own. */
export type ParamName =
  | 'minSpeedKmh'
  | 'limitKmh'
  | 'useRoadLimit'
  | 'hysteresisKmh'
  | 'hysteresisM'
  | 'dwellSeconds'
  | 'clearSeconds'
  | 'minVolts'
  | 'minPercent'
  | 'litres'
  | 'percent'
  | 'offlineSeconds'
  | 'odometerKm'
  | 'engineHours'
  | 'minTemperature'
  | 'maxTemperature'
  | 'sensor'
  | 'below'
  | 'above'
  | 'hysteresis'
  | 'alarms'
  | 'states'
  | 'webhookUrl';

const LASTS = ['dwellSeconds', 'clearSeconds'] as const;

/** Conditions of each type of rule, as docs/notifications.md lists them. */
export const RULE_PARAMS: Readonly<Record<RuleType, readonly ParamName[]>> = {
  unauthorized_use: ['minSpeedKmh', ...LASTS],
  overspeed: ['limitKmh', 'useRoadLimit', 'hysteresisKmh', ...LASTS],
  geofence_enter: ['hysteresisM', ...LASTS],
  geofence_exit: ['hysteresisM', ...LASTS],
  geofence_speed: ['limitKmh', 'hysteresisKmh', ...LASTS],
  geofence_inside: ['hysteresisM', ...LASTS],
  geofence_outside: ['hysteresisM', ...LASTS],
  ignition_on: [...LASTS],
  ignition_off: [...LASTS],
  tow: ['minSpeedKmh', ...LASTS],
  idling: ['minSpeedKmh', ...LASTS],
  long_stop: ['minSpeedKmh', ...LASTS],
  sos: ['clearSeconds'],
  accident: ['clearSeconds'],
  jamming: ['clearSeconds'],
  tampering: ['clearSeconds'],
  harsh_braking: ['clearSeconds'],
  harsh_acceleration: ['clearSeconds'],
  harsh_cornering: ['clearSeconds'],
  device_alarm: ['alarms', 'clearSeconds'],
  power_cut: ['minVolts', ...LASTS],
  unplugged: [...LASTS],
  low_battery: ['minPercent', ...LASTS],
  temperature: ['minTemperature', 'maxTemperature', 'sensor', ...LASTS],
  door: [...LASTS],
  fuel_drain: ['litres', 'percent', 'clearSeconds'],
  fuel_refill: ['litres', 'percent', 'clearSeconds'],
  device_offline: ['offlineSeconds'],
  command_result: ['states'],
  session_taken_over: [],
  login_refused: [],
  maintenance: ['odometerKm', 'engineHours'],
  maintenance_due: [],
  ddd_due: [],
  infringement: [],
  driver_changed: [],
  driver_unknown: [],
  driver_missing: ['minSpeedKmh', ...LASTS],
  sensor: ['sensor', 'below', 'above', 'hysteresis', ...LASTS],
};

export const isRuleType = (type: string): type is RuleType => RULE_TYPES.some((each) => each === type);
export const hasArea = (type: RuleType): boolean => type.startsWith('geofence_');
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

const TEXTS: readonly ParamName[] = ['sensor', 'webhookUrl'];
const LISTS: readonly ParamName[] = ['alarms', 'states'];

export const kindOfParam = (name: ParamName): 'text' | 'list' | 'flag' | 'number' => {
  if (name === 'useRoadLimit') return 'flag';
  if (TEXTS.includes(name)) return 'text';
  return LISTS.includes(name) ? 'list' : 'number';
};

/** The members of `params` that a form contains; an empty field leaves its member out. */
export function paramsOf(form: FormData, names: readonly ParamName[]): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const name of names) {
    const text = String(form.get(`param.${name}`) ?? '').trim();
    const kind = kindOfParam(name);
    if (kind === 'flag') {
      if (text !== '') params[name] = true;
    } else if (text !== '') {
      params[name] = kind === 'number' ? Number(text) : kind === 'list' ? splitList(text) : text;
    }
  }
  return params;
}

export const splitList = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
