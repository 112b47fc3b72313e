import { EVENT_MASK_AOVX, ICCID_AOVX, TAGS } from './items/aovx.ts';
import { DOOR_AND_DRIVING } from './items/driving.ts';
import type { ReadItem } from './items/item.ts';
import { JIMI } from './items/jimi.ts';
import { STEPS } from './items/sensors.ts';

/** Alarms of the alarm word: any bit of the mask means the name. */
export type AlarmRule = readonly [mask: number, name: string];

const bits = (...numbers: number[]): number => numbers.reduce((mask, bit) => mask | (1 << bit), 0);

const USUAL_ALARMS: readonly AlarmRule[] = [
  [bits(0), 'sos'],
  [bits(1), 'overspeed'],
  [bits(2), 'fatigueDriving'],
  [bits(5, 6), 'gpsAntennaCut'],
  [bits(4, 9, 10, 11), 'fault'],
  [bits(7, 18), 'lowBattery'],
  [bits(8), 'powerOff'],
  [bits(15), 'vibration'],
  [bits(16, 17), 'tampering'],
  [bits(19), 'parking'],
  [bits(20), 'geofence'],
  [bits(26), 'general'],
  [bits(28), 'movement'],
  [bits(29, 30), 'accident'],
];
const SEAL_ALARMS: readonly AlarmRule[] = [
  [bits(0, 4), 'removing'],
  [bits(1), 'tampering'],
];
const MOVEMENT_ONLY: readonly AlarmRule[] = [[bits(16), 'movement']];

/** How a model differs from the rest. */
export interface Model {
  readonly alarms: readonly AlarmRule[];
  /** status bits that it uses beside the usual ones */
  readonly statusBits: readonly (readonly [bit: number, key: string])[];
  /** items that it reads in its own way; undefined: not at all */
  readonly items: Readonly<Record<number, ReadItem | undefined>>;
  /** message that carries text for it; the text is hex of whole frames where there is none */
  readonly text?: 0x8103 | 0x8300 | 0x8900;
  /** bodies of terminal control 8105 that cut and restore the engine, in hex */
  readonly engine: { readonly stop: string; readonly resume: string };
}

const USUAL: Model = { alarms: USUAL_ALARMS, statusBits: [], items: {}, engine: { stop: 'f0', resume: 'f1' } };

const AOVX: Model = {
  ...USUAL,
  alarms: MOVEMENT_ONLY,
  items: { 0xf3: TAGS, 0xf6: EVENT_MASK_AOVX, 0xf8: ICCID_AOVX },
  text: 0x8103,
};
const SEAL: Model = { ...USUAL, alarms: SEAL_ALARMS };
const DOORS: Model = { ...USUAL, statusBits: [[16, 'door']], items: { 0x57: DOOR_AND_DRIVING } };
const CAMERA: Model = { ...USUAL, items: { 0xe8: JIMI }, text: 0x8900 };
const WATCH: Model = { ...USUAL, items: { 0xf8: STEPS }, text: 0x8300 };

const MODELS: ReadonlyMap<string, Model> = new Map<string, Model>([
  ['AL300', AOVX],
  ['GL100', AOVX],
  ['G-360P', SEAL],
  ['G-508P', SEAL],
  ['G1C Pro', { ...USUAL, statusBits: [[4, 'motion']] }],
  ['MV710G', DOORS],
  ['MV810G', DOORS],
  ['JC181', CAMERA],
  ['JC182', CAMERA],
  ['JC371', CAMERA],
  ['JC450', CAMERA],
  ['JC451', CAMERA],
  ['C5', WATCH],
  ['C5L', WATCH],
  ['BSJ', { ...USUAL, text: 0x8300 }],
  ['DT800', { ...USUAL, items: { 0xe2: undefined } }],
  ['W15L', { ...USUAL, engine: { stop: '64', resume: '65' } }],
  [
    'VL300',
    {
      ...USUAL,
      alarms: USUAL_ALARMS.filter(([, name]) => name !== 'accident'),
      text: 0x8103,
      // "#0;1" and "#0;0"
      engine: { stop: '23303b31', resume: '23303b30' },
    },
  ],
]);

export const MODEL_NAMES: readonly string[] = [...MODELS.keys()];

export const modelOf = (name: unknown): Model => (typeof name === 'string' && MODELS.get(name)) || USUAL;
