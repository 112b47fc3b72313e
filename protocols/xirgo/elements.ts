import type { Attributes } from '#codec';

/** Source: vendor’s list of events. */
export const ALARMS: Readonly<Record<string, string>> = {
  6002: 'overspeed',
  6006: 'hardAcceleration',
  6007: 'hardBraking',
  6008: 'lowPower',
  6009: 'powerCut',
  6010: 'powerRestored',
  6016: 'idle',
  6017: 'tow',
  6032: 'parking',
  6090: 'removing',
  6091: 'lowBattery',
};

export const STATES: Readonly<Record<string, Attributes>> = {
  4001: { ignition: true },
  4002: { ignition: false },
  4003: { ignition: true },
  4004: { ignition: false },
  4005: { charge: false },
  6011: { ignition: true },
  6012: { ignition: false },
  6013: { ignition: true },
  6014: { ignition: false },
  6030: { motion: true },
  6031: { motion: false },
  6071: { motion: true },
};

export const MILE_M = 1609.34;
export const MILE_KMH = 0.868976 * 1.852;
