import { alarmsByMask, hex, number, skip, u8, u16 } from '#codec/binary';
import { CAMERA_CODES } from './items/cameras.ts';
import { ITEMS } from './items/index.ts';
import { DOOR_AND_DRIVING, EVENT_MASK, TAGS } from './items/vendors.ts';
import { itemLists } from './location.ts';
import type { Model } from './report.ts';

/** Alarm word: JT/T 808, table 24, with its warnings; 15 to 17 are vendors'. */
const ALARMS_BUT_ACCIDENT = [
  [0x0000_0001, 'sos'],
  [0x0000_2002, 'overspeed'],
  // Bit 18: driving time of the day exceeded.
  [0x0004_4004, 'fatigueDriving'],
  [0x0000_0060, 'gpsAntennaCut'],
  [0x0100_1e10, 'fault'],
  // Of the main supply, as both tables say.
  [0x0000_0080, 'lowPower'],
  [0x0000_0100, 'powerCut'],
  [0x0000_8000, 'vibration'],
  [0x0003_0000, 'tampering'],
  [0x0008_0000, 'parking'],
  [0x00b0_0000, 'geofence'],
  // Danger ahead, time on a stretch of a route, theft, illegal ignition.
  [0x0c40_0008, 'general'],
  [0x0200_0000, 'fuelLeak'],
  [0x8000_0000, 'door'],
  [0x1000_0000, 'movement'],
] as const;

export const USUAL: Model = {
  alarms: number('u32', alarmsByMask([...ALARMS_BUT_ACCIDENT, [0x6000_0000, 'accident']])),
  statusBits: [],
  items: itemLists(ITEMS),
  engine: { stop: 'f0', resume: 'f1' },
};

const AOVX: Model = {
  ...USUAL,
  alarms: number('u32', alarmsByMask([[0x0001_0000, 'movement']])),
  items: itemLists({ ...ITEMS, 0xf3: TAGS, 0xf6: EVENT_MASK, 0xf8: [skip(9), hex('iccid', 10)] }),
  text: 0x8103,
};
/** Source: G10LS protocol, tables 18 and 20. */
const G10LS: Model = {
  ...USUAL,
  alarms: number(
    'u32',
    alarmsByMask([
      [0x0000_0001, 'sos'],
      [0x0000_0002, 'overspeed'],
      [0x0000_0004, 'fatigueDriving'],
      [0x0000_0080, 'lowPower'],
      [0x0000_0100, 'powerCut'],
      [0x0000_8000, 'lowBattery'],
      [0x0001_0000, 'vibration'],
      [0x0002_0000, 'removing'],
      [0x0008_0000, 'parking'],
      [0x1000_0000, 'movement'],
    ]),
  ),
  items: itemLists({
    ...ITEMS,
    0xf3: u8('armed', { equals: 1 }),
    0xf4: number(
      'u16',
      alarmsByMask([
        [0x01, 'hardAcceleration'],
        [0x06, 'hardBraking'],
        [0x08, 'hardCornering'],
        [0x30, 'accident'],
      ]),
    ),
    0xf6: [u8('mode'), skip(2), u8('charge', { mask: 0x01, equals: 1 })],
  }),
};
const SEAL: Model = {
  ...USUAL,
  alarms: number(
    'u32',
    alarmsByMask([
      [0x11, 'removing'],
      [0x02, 'tampering'],
    ]),
  ),
};
const DOORS: Model = {
  ...USUAL,
  statusBits: [[0x0001_0000, 'door']],
  items: itemLists({ ...ITEMS, 0x57: DOOR_AND_DRIVING }),
};
const CAMERA: Model = { ...USUAL, items: itemLists({ ...ITEMS, 0xe8: CAMERA_CODES }), text: 0x8900 };
const WATCH: Model = { ...USUAL, items: itemLists({ ...ITEMS, 0xf8: u16('steps') }), text: 0x8300 };

export const MODELS: Readonly<Record<string, Model>> = {
  AL300: AOVX,
  GL100: AOVX,
  G10LS,
  'G-360P': SEAL,
  'G-508P': SEAL,
  'G1C Pro': { ...USUAL, statusBits: [[0x10, 'motion']] },
  MV710G: DOORS,
  MV810G: DOORS,
  JC181: CAMERA,
  JC182: CAMERA,
  JC371: CAMERA,
  JC450: CAMERA,
  JC451: CAMERA,
  C5: WATCH,
  C5L: WATCH,
  BSJ: { ...USUAL, text: 0x8300 },
  DT800: { ...USUAL, items: itemLists({ ...ITEMS, 0xe2: undefined }) },
  W15L: { ...USUAL, engine: { stop: '64', resume: '65' } },
  VL300: {
    ...USUAL,
    alarms: number('u32', alarmsByMask(ALARMS_BUT_ACCIDENT)),
    text: 0x8103,
    // "#0;1" and "#0;0"
    engine: { stop: '23303b31', resume: '23303b30' },
  },
};
