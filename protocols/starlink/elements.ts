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
  4: { ignition: true },
  5: { ignition: false },
  24: { ignition: true },
  25: { ignition: false },
};

/** Event whose last items name a driver. */
export const DRIVER_EVENT = 20;

export const DEFAULT_FORMAT =
  '#EDT#,#EID#,#PDT#,#LAT#,#LONG#,#SPD#,#HEAD#,#ODO#,#IN1#,#IN2#,#IN3#,#IN4#,#OUT1#,#OUT2#,#OUT3#,#OUT4#,#LAC#,#CID#,#VIN#,#VBAT#,#DEST#,#IGN#,#ENG#';

/** Of units that leave out inputs and outputs; some have an item without a tag before the supply. */
export const COMPACT_FORMAT = '#EDT#,#EID#,#PDT#,#LAT#,#LONG#,#SPD#,#HEAD#,#ODO#,#LAC#,#CID#,#VIN#,#VBAT#';
export const COMPACT_FORMAT_2 = '#EDT#,#EID#,#PDT#,#LAT#,#LONG#,#SPD#,#HEAD#,#ODO#,#LAC#,#CID#,,#VIN#,#VBAT#';

export const DEFAULT_DATE_FORMAT = 'yyMMddHHmmss';
