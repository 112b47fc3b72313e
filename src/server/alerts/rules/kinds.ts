import type { Tank } from '../../movement/track/fuel-gauge.ts';
import {
  anyAlarm,
  type Condition,
  dueByDate,
  idling,
  ignition,
  line,
  lowBattery,
  maintenance,
  overspeed,
  powerCut,
  reportedAlarm,
  stopped,
  temperature,
  tow,
  useOutsideHours,
} from './condition.ts';
import { driverMissing } from './driver.ts';
import { fence, presence, speedWithin } from './fence.ts';
import { fuelLevel } from './fuel.ts';
import type { Timed, Watching } from './judge.ts';
import { sensorOutside } from './sensor.ts';
import type { Limits, Rule, RuleType } from './types.ts';

/** How a type of rule is evaluated. */
export interface Kind {
  /** undefined: not evaluated report by report */
  readonly watching?: (rule: Rule, limits: Limits, tank: Tank | null) => Watching;
  /** what the clock changes without a report */
  readonly timed?: (rule: Rule) => Timed | undefined;
  /** the condition is a state, which holds until a report says otherwise */
  readonly isState?: true;
  /** the hours of the rule are part of the condition, not when it notifies */
  readonly hasOwnHours?: true;
  /** minimum duration, s */
  readonly dwellSeconds?: number;
  /** minimum gap before the next episode, s */
  readonly clearSeconds?: number;
  /** episodes on a transition, not on a state: the state before must be known */
  readonly isChange?: true;
  /** each area of the rule is judged for itself */
  readonly isByArea?: true;
  /** of driving: does not last across a long silence of the device */
  readonly isDriving?: true;
}

const by =
  (make: (rule: Rule, limits: Limits) => Condition) =>
  (rule: Rule, limits: Limits): Watching => {
    const condition = make(rule, limits);
    return (fix, memory, take) => {
      const sample = condition(fix, memory);
      if (sample !== undefined) take(fix.at, sample, fix);
    };
  };

/** The device reports alarms of these names. */
const alarm = (names: readonly string[], clearSeconds = 60): Kind => ({
  watching: by(() => reportedAlarm(names)),
  clearSeconds,
});

/** At a place during the rule's hours. */
const staying = (where: 'inside' | 'outside'): Kind => ({
  watching: (rule) => presence(rule, where).watching,
  timed: (rule) => presence(rule, where).timed,
  isState: true,
  hasOwnHours: true,
});

const kinds: Readonly<Record<RuleType, Kind>> = {
  unauthorized_use: {
    watching: by(useOutsideHours),
    clearSeconds: 300,
    isDriving: true,
    hasOwnHours: true,
  },
  overspeed: { watching: by(overspeed), clearSeconds: 30, isDriving: true },
  // every entry has its exit: that a vehicle at the edge does not alternate is up to `hysteresisM`
  geofence_enter: {
    watching: (rule, limits) => fence(rule, limits, 'inside'),
    isChange: true,
    isByArea: true,
    isState: true,
  },
  geofence_exit: {
    watching: (rule, limits) => fence(rule, limits, 'outside'),
    isChange: true,
    isByArea: true,
    isState: true,
  },
  geofence_speed: { watching: (rule) => speedWithin(rule), clearSeconds: 30, isDriving: true, isByArea: true },
  geofence_inside: { ...staying('inside'), isByArea: true },
  geofence_outside: staying('outside'),
  ignition_on: { watching: by(() => ignition(true)), isChange: true, isState: true },
  ignition_off: { watching: by(() => ignition(false)), isChange: true, isState: true },
  tow: { watching: by(tow), dwellSeconds: 10, clearSeconds: 300, isDriving: true },
  idling: { watching: by(idling), dwellSeconds: 300, clearSeconds: 60, isDriving: true, isState: true },
  long_stop: { watching: by(stopped), dwellSeconds: 3_600, clearSeconds: 60, isState: true },
  sos: alarm(['sos']),
  accident: alarm(['accident']),
  jamming: alarm(['jamming']),
  tampering: alarm(['tampering', 'gpsAntennaCut', 'bonnet']),
  harsh_braking: alarm(['hardBraking'], 10),
  harsh_acceleration: alarm(['hardAcceleration'], 10),
  harsh_cornering: alarm(['hardCornering'], 10),
  device_alarm: { watching: by(anyAlarm), clearSeconds: 60 },
  power_cut: { watching: by(powerCut), clearSeconds: 60, isState: true },
  unplugged: { watching: by(() => line('charge', false, ['removing'])), clearSeconds: 60, isState: true },
  low_battery: { watching: by(lowBattery), clearSeconds: 3_600, isState: true },
  temperature: { watching: by(temperature), clearSeconds: 300, isState: true },
  door: { watching: by(() => line('door', true, ['door'])), clearSeconds: 10, isState: true },
  fuel_drain: { watching: fuelLevel, clearSeconds: 900 },
  fuel_refill: { watching: fuelLevel, clearSeconds: 900 },
  device_offline: {},
  command_result: {},
  session_taken_over: {},
  login_refused: {},
  maintenance: { watching: by(maintenance), timed: dueByDate },
  maintenance_due: {},
  ddd_due: {},
  infringement: {},
  driver_changed: {},
  driver_unknown: {},
  driver_missing: { watching: driverMissing, dwellSeconds: 60, clearSeconds: 300, isDriving: true },
  sensor: { watching: by(sensorOutside), clearSeconds: 60, isState: true },
};

export const kindOf = (type: RuleType): Kind => kinds[type];
