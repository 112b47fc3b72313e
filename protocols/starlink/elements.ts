import type { Attributes } from '#codec';

/** Events that are an alarm. Source: vendor’s list of events. */
export const ALARMS: Readonly<Record<string, string>> = {
  6: 'overspeed',
  7: 'geofenceEnter',
  8: 'geofenceExit',
  9: 'powerCut',
  11: 'lowBattery',
  26: 'tow',
  36: 'sos',
  42: 'jamming',
};

export const IGNITION: Readonly<Record<string, Attributes>> = {
  24: { ignition: true },
  25: { ignition: false },
};

/** Event whose last items name a driver. */
export const DRIVER_EVENT = 20;

export const DEFAULT_FORMAT =
  '#EDT#,#EID#,#PDT#,#LAT#,#LONG#,#SPD#,#HEAD#,#ODO#,#IN1#,#IN2#,#IN3#,#IN4#,#OUT1#,#OUT2#,#OUT3#,#OUT4#,#LAC#,#CID#,#VIN#,#VBAT#,#DEST#,#IGN#,#ENG#';

export const DEFAULT_DATE_FORMAT = 'yyMMddHHmmss';
