import type { Area } from './area.ts';
import type { Hours } from './hours.ts';

export const RULE_TYPES = [
  'unauthorized_use',
  'overspeed',
  'geofence_enter',
  'geofence_exit',
  'ignition_on',
  'ignition_off',
  'tow',
  'sos',
  'power_cut',
  'low_battery',
  'fuel_drain',
  'fuel_refill',
  'device_offline',
  'command_result',
  'maintenance',
  'ddd_due',
  'infringement',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const PRIORITIES = ['low', 'normal', 'high', 'critical'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** What a rule goes by beside its type; each has a default. */
export interface Params {
  /** km/h from which a vehicle is moving */
  readonly minSpeedKmh?: number | undefined;
  readonly limitKmh?: number | undefined;
  /** also what the device says that the road allows */
  readonly useRoadLimit?: boolean | undefined;
  readonly hysteresisKmh?: number | undefined;
  /** m that a vehicle must be away from the edge to be outside */
  readonly hysteresisM?: number | undefined;
  /** s that it must last before it is told */
  readonly dwellSeconds?: number | undefined;
  /** s that it must be over before it is told again */
  readonly clearSeconds?: number | undefined;
  /** V of the external supply below which it is cut */
  readonly minVolts?: number | undefined;
  /** % of the device's own battery */
  readonly minPercent?: number | undefined;
  /** how much must come or go within `windowSeconds`: litres, or per cent where the device knows no litres */
  readonly litres?: number | undefined;
  readonly percent?: number | undefined;
  readonly windowSeconds?: number | undefined;
  /** s of silence after which a device is off line */
  readonly offlineSeconds?: number | undefined;
  /** states of commands that are told; all that are final where none is named */
  readonly states?: readonly string[] | undefined;
  /** maintenance is due at so many km, hours of the engine, or on this day (epoch ms) */
  readonly odometerKm?: number | undefined;
  readonly engineHours?: number | undefined;
  readonly dueAt?: number | undefined;
}

/** A rule with all that its evaluation needs. */
export interface Rule {
  readonly type: RuleType;
  readonly zone: string;
  /** undefined: always */
  readonly hours: Hours | undefined;
  readonly cooldownSeconds: number;
  readonly params: Params;
  /** geofences of geofence_enter and geofence_exit: in any of them is inside */
  readonly areas: readonly Area[];
}

/** A report of a device. Times are epoch ms, speed km/h. */
export interface Fix {
  readonly at: number;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly ignition: boolean | undefined;
  /** May there be an attribute of this name? Costs less than to read them. */
  readonly mentions: (name: string) => boolean;
  /** read when they are asked for */
  readonly attributes: () => Readonly<Record<string, unknown>>;
}

export const seconds = (value: number | undefined, fallback: number): number => (value ?? fallback) * 1_000;
