/** Alarm codes. Source: protocol document, alarm type. */
export const ALARMS: Readonly<Record<number, string>> = {
  0x01: 'sos',
  0x10: 'lowBattery',
  0x11: 'overspeed',
  0x14: 'hardBraking',
  0x15: 'hardAcceleration',
  0x30: 'parking',
  0x42: 'geofenceExit',
  0x43: 'geofenceEnter',
  0xa0: 'temperature',
  0xa3: 'vibration',
  0xb0: 'powerOn',
  0xb1: 'powerOff',
};

/** Hardware with its own layout of blocks. */
export const HARDWARE = {
  avl05: 0x10a,
  avl08: 0x10b,
  avl201: 0x153,
  tag: 0x406,
  logger: 0x407,
  tt18: 0x40a,
  tt19: 0x413,
} as const;
