import type { AlarmEvent, RuleType } from '../rules/index.ts';

const TITLES: Readonly<Record<RuleType, string>> = {
  unauthorized_use: 'Use outside of the authorised hours',
  overspeed: 'Overspeed',
  geofence_enter: 'Geofence entered',
  geofence_exit: 'Geofence left',
  ignition_on: 'Ignition on',
  ignition_off: 'Ignition off',
  tow: 'Moved without ignition',
  idling: 'Idling',
  long_stop: 'Long stop',
  sos: 'SOS',
  accident: 'Accident',
  jamming: 'Jamming',
  tampering: 'Tampering',
  harsh_braking: 'Harsh braking',
  harsh_acceleration: 'Harsh acceleration',
  harsh_cornering: 'Harsh cornering',
  device_alarm: 'Alarm of the device',
  unplugged: 'Device unplugged',
  temperature: 'Temperature out of range',
  door: 'Door opened',
  geofence_speed: 'Overspeed in a geofence',
  power_cut: 'External power cut',
  low_battery: 'Battery low',
  fuel_drain: 'Fuel drained',
  fuel_refill: 'Refuelled',
  device_offline: 'Device offline',
  command_result: 'Command ended',
  maintenance: 'Maintenance due',
  ddd_due: 'Tachograph download due',
  infringement: 'Infringement',
};

const UNITS: Readonly<Partial<Record<RuleType, string>>> = {
  overspeed: 'km/h',
  geofence_speed: 'km/h',
  temperature: '°C',
  fuel_drain: '',
  fuel_refill: '',
};

export interface NotificationFacts {
  readonly type: RuleType;
  readonly description: string;
  readonly timezone: string;
  /** plate, or the device's id where it is in no vehicle */
  readonly vehicle: string;
  readonly event: AlarmEvent;
}

/** Title and body of a notification. */
export function textsOf({ type, description, timezone, vehicle, event }: NotificationFacts): {
  title: string;
  body: string;
} {
  const { kind, at, value, detail, corrects } = event;
  const when = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'medium', timeStyle: 'medium' });
  const title = vehicle === '' ? TITLES[type] : `${TITLES[type]}: ${vehicle}`;
  const facts = [
    `${vehicle === '' ? '' : `${vehicle}, `}${when.format(at)} (${timezone})`,
    ...(value === undefined || UNITS[type] === undefined ? [] : [`${round(value)} ${UNITS[type]}`.trim()]),
    ...(detail === undefined ? [] : [detail]),
    ...(description === '' ? [] : [description]),
  ].join(' · ');
  if (kind === 'withdrawn')
    return { title: `Withdrawn: ${title}`, body: `Later data show that it was not so. ${facts}` };
  if (corrects !== undefined)
    return { title: `Corrected: ${title}`, body: `Later data correct the earlier message. ${facts}` };
  return { title, body: facts };
}

const round = (value: number): number => Math.round(value * 10) / 10;
