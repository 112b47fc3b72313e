import type { AttributeValue, Protocol } from '#codec';

/** What a position's attribute of the open vocabulary holds. `scalar`: as the device reports it. */
export interface Term {
  readonly type: 'number' | 'string' | 'boolean' | 'number or string' | 'boolean or number' | 'scalar';
  /** unit or form, and meaning */
  readonly meaning: string;
  /** a value outside of these bounds cannot be in the unit */
  readonly min?: number;
  readonly max?: number;
}

const number = (meaning: string, min?: number, max?: number): Term => ({
  type: 'number',
  meaning,
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});
const boolean = (meaning: string): Term => ({ type: 'boolean', meaning });
const string = (meaning: string): Term => ({ type: 'string', meaning });
const either = (meaning: string, min?: number): Term => ({
  type: 'number or string',
  meaning,
  ...(min === undefined ? {} : { min }),
});
const line = (meaning: string): Term => ({ type: 'boolean or number', meaning });
const scalar = (meaning: string): Term => ({ type: 'scalar', meaning });

/**
 * Attribute keys of the open vocabulary. Other keys are camelCase scalars, or names defined by the device where
 * the protocol's facts have `deviceNamedKeys`.
 */
export const vocabulary: Readonly<Record<string, Term>> = {
  index: number('message or record counter'),
  hdop: number('horizontal dilution of precision', 0),
  vdop: number('vertical dilution of precision', 0),
  pdop: number('position dilution of precision', 0),
  sat: number('satellites in use', 0, 255),
  satVisible: number('satellites in view', 0, 255),
  rssi: number('radio signal as reported by the device'),
  gps: scalar('receiver status, as reported'),
  roaming: boolean('in a foreign network'),
  event: either('the device’s own event code'),
  alarm: string('comma-separated alarm names'),
  status: either('raw status word'),
  flags: either('raw status word'),
  odometer: number('m', 0),
  serviceOdometer: number('m', 0),
  tripOdometer: number('m', 0),
  distance: number('m', 0),
  totalDistance: number('m', 0),
  obdOdometer: number('m, read from the vehicle', 0),
  hours: number('ms, engine hours', 0),
  drivingTime: number('as reported'),
  steps: number('counted steps', 0),
  heartRate: number('1/min', 0),
  input: either('raw bit field, as reported', 0),
  output: either('raw bit field, as reported', 0),
  deviceTemp: number('°C', -273.15),
  coolantTemp: number('°C', -273.15),
  engineTemp: number('°C', -273.15),
  humidity: number('%', 0),
  power: number('V, external supply'),
  battery: number('V, own battery'),
  batteryLevel: number('%', 0, 100),
  charge: boolean('charging, or external supply present'),
  fuel: number('l in the tank', 0),
  fuelLevel: number('%', 0),
  fuelUsed: number('l, total', 0),
  fuelConsumption: number('l/h', 0),
  ignition: boolean('ignition is on'),
  motion: boolean('moving'),
  armed: boolean('alarm system is armed'),
  blocked: boolean('engine is blocked'),
  lock: boolean('locked'),
  door: boolean('a door is open'),
  rpm: number('1/min', 0),
  throttle: number('%', 0),
  engineLoad: number('%', 0),
  obdSpeed: number('km/h', 0),
  axleWeight: number('kg', 0),
  acceleration: either('as reported'),
  gSensor: either('as reported'),
  speedLimit: number('km/h', 0),
  vin: string('vehicle identification number'),
  iccid: string('number of the SIM card'),
  operator: scalar('code or name of the mobile network'),
  phone: string('telephone number'),
  ip: string('address'),
  versionFw: either('firmware'),
  versionHw: either('hardware'),
  type: either('kind of the device or record'),
  archive: boolean('sent from the device’s memory, not live'),
  approximate: boolean('position from cells, not satellites'),
  antenna: scalar('as reported'),
  geofence: scalar('as reported'),
  driverUniqueId: string('iButton, RFID or card of the driver'),
  card: string('other card read'),
  dtcs: string('trouble codes, space-separated'),
  result: string('text that answers a command'),
  command: string('the command that it answers, if the device reports it'),
  image: string('stored media file'),
  video: string('stored media file'),
  audio: string('stored media file'),
};

/** Keys with a number behind them: `in1`, `temp2`. */
export const numberedVocabulary: Readonly<Record<string, Term>> = {
  in: line('single input line: true or false, or 1 or 0, as reported'),
  out: line('single output line: true or false, or 1 or 0, as reported'),
  adc: either('analogue input, as reported'),
  io: scalar('IO element by its protocol number, where it has no name here'),
  count: number('counter'),
  temp: either('°C; text is as reported', -273.15),
};

/** The names that `alarm` lists. */
export const alarmNames: ReadonlySet<string> = new Set(
  (
    'general sos vibration movement lowspeed overspeed fallDown lowPower lowBattery fault powerOff powerOn door lock ' +
    'unlock geofence geofenceEnter geofenceExit gpsAntennaCut accident tow idle highRpm hardAcceleration hardBraking ' +
    'hardCornering laneChange fatigueDriving powerCut powerRestored jamming temperature parking bonnet footBrake ' +
    'fuelLeak tampering removing'
  ).split(' '),
);

/** The term of a key, or undefined for a key that is not in the vocabulary. */
export function termOf(key: string): Term | undefined {
  if (Object.hasOwn(vocabulary, key)) return vocabulary[key];
  const numbered = /^([a-z]+)\d+$/.exec(key)?.[1];
  return numbered !== undefined && Object.hasOwn(numberedVocabulary, numbered)
    ? numberedVocabulary[numbered]
    : undefined;
}

const CAMEL_CASE = /^[a-z][A-Za-z0-9]{0,63}$/;
/** a name defined by a device or its user */
const OWN_KEY = /^[\p{L}_][\p{L}\p{N}_.#-]{0,63}$/u;

/** The facts of a protocol about the attributes of its devices. */
export type AttributeFacts = Pick<Protocol, 'deviceNamedKeys' | 'reportedAs'>;

/** What is wrong with an attribute of a position, or undefined. */
export function attributeProblem(
  key: string,
  value: AttributeValue | undefined,
  { deviceNamedKeys = false, reportedAs = {} }: AttributeFacts = {},
): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return `${key} is no scalar`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `${key} is ${value}`;
  const term = termOf(key);
  // Devices that name values themselves may send any type: what an app sends as `ignition` is not checked.
  if (term === undefined || deviceNamedKeys) return keyProblem(key, deviceNamedKeys);
  const asReported = Object.hasOwn(reportedAs, key) && reportedAs[key] === typeof value;
  if (term.type !== 'scalar' && !asReported && !term.type.split(' or ').includes(typeof value)) {
    return `${key} is a ${typeof value}, not a ${term.type}`;
  }
  if (key === 'alarm') {
    const unknown = String(value)
      .split(',')
      .find((name) => !alarmNames.has(name));
    return unknown === undefined ? undefined : `alarm "${unknown}" is not in the vocabulary`;
  }
  return undefined;
}

function keyProblem(key: string, deviceNamedKeys: boolean): string | undefined {
  if (CAMEL_CASE.test(key) || (deviceNamedKeys && OWN_KEY.test(key))) return undefined;
  return deviceNamedKeys ? `key "${key}" is no name` : `key "${key}" is not camelCase`;
}

/** Why a number of the vocabulary is probably in a wrong unit, or undefined. Devices may send such values too. */
export function unitProblem(key: string, value: AttributeValue): string | undefined {
  const term = termOf(key);
  if (term === undefined || typeof value !== 'number') return undefined;
  if (term.min !== undefined && value < term.min) return `${key} is ${value}, less than ${term.min} (${term.meaning})`;
  if (term.max !== undefined && value > term.max) return `${key} is ${value}, more than ${term.max} (${term.meaning})`;
  return undefined;
}
