import type { Area } from './area.ts';
import type { Hours } from './hours.ts';

export const RULE_TYPES = [
  'unauthorized_use',
  'overspeed',
  'geofence_enter',
  'geofence_exit',
  'geofence_speed',
  'geofence_inside',
  'geofence_outside',
  'ignition_on',
  'ignition_off',
  'tow',
  'idling',
  'long_stop',
  'sos',
  'accident',
  'jamming',
  'tampering',
  'harsh_braking',
  'harsh_acceleration',
  'harsh_cornering',
  'device_alarm',
  'power_cut',
  'unplugged',
  'low_battery',
  'temperature',
  'door',
  'fuel_drain',
  'fuel_refill',
  'device_offline',
  'command_result',
  'session_taken_over',
  'login_refused',
  'maintenance',
  'maintenance_due',
  'ddd_due',
  'infringement',
  'driver_changed',
  'driver_unknown',
  'driver_missing',
  'sensor',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const;

/** Parameters of a rule; each has a default. */
export interface Params {
  /** km/h from which a vehicle is moving */
  readonly minSpeedKmh?: number | undefined;
  /** km/h: overspeed, geofence_speed */
  readonly limitKmh?: number | undefined;
  /** also use the road's speed limit as reported by the device */
  readonly useRoadLimit?: boolean | undefined;
  readonly hysteresisKmh?: number | undefined;
  /** m that a vehicle must be away from the edge to be outside */
  readonly hysteresisM?: number | undefined;
  /** minimum duration before a notification, s */
  readonly dwellSeconds?: number | undefined;
  /** minimum gap before the next notification, s */
  readonly clearSeconds?: number | undefined;
  /** external supply is cut below this voltage, V */
  readonly minVolts?: number | undefined;
  /** % of the device's own battery */
  readonly minPercent?: number | undefined;
  /** smallest change: liters, or percent where neither the device nor the tank gives liters */
  readonly litres?: number | undefined;
  readonly percent?: number | undefined;
  /** s of silence after which a device is offline */
  readonly offlineSeconds?: number | undefined;
  /** command states that are notified; default: all final states */
  readonly states?: readonly string[] | undefined;
  /** maintenance is due at this odometer (km), engine hours, or time (epoch ms) */
  readonly odometerKm?: number | undefined;
  readonly engineHours?: number | undefined;
  readonly dueAt?: number | undefined;
  /** °C: outside of this range */
  readonly minTemperature?: number | undefined;
  readonly maxTemperature?: number | undefined;
  /** attribute of the temperature (default: any of temp1 to temp8), or name of a sensor */
  readonly sensor?: string | undefined;
  /** sensor: outside of this range */
  readonly below?: number | undefined;
  readonly above?: number | undefined;
  /** sensor: how far back inside the range its value must be */
  readonly hysteresis?: number | undefined;
  /** alarms of the device; default: any */
  readonly alarms?: readonly string[] | undefined;
}

/** Limits of all rules. */
export interface Limits {
  /** an episode of driving does not last across a longer silence of the device, ms */
  readonly silenceMs: number;
  /** geofences: nothing is known of the path between two fixes further apart, ms */
  readonly pathGapMs: number;
}

/** Everything that evaluating a rule needs. */
export interface Rule {
  readonly type: RuleType;
  readonly zone: string;
  /** undefined: always */
  readonly hours: Hours | undefined;
  readonly cooldownSeconds: number;
  readonly params: Params;
  /** geofences, each judged for itself */
  readonly areas: readonly Area[];
}

/** A report of a device. Times are epoch ms, speed km/h. */
export interface Fix {
  readonly at: number;
  /** orders reports of the same time */
  readonly id: string;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly ignition: boolean | undefined;
  /** May there be an attribute of this name? Cheaper than reading them. */
  readonly mentions: (name: string) => boolean;
  /** parsed on first use */
  readonly attributes: () => Readonly<Record<string, unknown>>;
}

/** Where a report says that the device was. */
export type Located = Pick<Fix, 'latitude' | 'longitude' | 'speed' | 'course' | 'outdated'>;

export const seconds = (value: number | undefined, fallback: number): number => (value ?? fallback) * 1_000;
