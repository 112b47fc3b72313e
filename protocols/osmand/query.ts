import {
  type Attributes,
  CodecError,
  Draft,
  type HttpRequest,
  KNOT_KMH,
  type Position,
  setDeviceNamed,
  toLatin1,
  utcFromIso,
} from '#codec';
import { parseForm, parseQuery, type Query } from '#codec/http';
import { parseDecimal } from '#codec/text';

export interface Report {
  readonly id: string | undefined;
  readonly position: Position;
}

/** Of the path where it has any, otherwise of a form in the body. */
export function parametersOf({ uri, body }: HttpRequest): Query {
  const ofPath = parseQuery(uri);
  return ofPath.size > 0 ? ofPath : parseForm(toLatin1(body).trim());
}

/** km/h of the unit that the device option `speedUnit` names. */
const SPEED_UNITS: ReadonlyMap<unknown, number> = new Map([
  ['km/h', 1],
  ['m/s', 3.6],
  ['mph', 1.609344],
]);

/** Traccar Client sends knots; a URL of a user carries what their app has: OsmAnd and GPSLogger have m/s. */
export const speedFactor = (unit: unknown): number => SPEED_UNITS.get(unit) ?? KNOT_KMH;

/** What is gathered of one request. */
interface Gathering {
  readonly draft: Draft;
  readonly speedFactor: number;
  readonly fix: { latitude?: number; longitude?: number; altitude?: number; speed?: number; course?: number };
  id: string | undefined;
  time: number | undefined;
  valid: boolean;
}

type Setter = (gathering: Gathering, value: string) => void;

const course: Setter = ({ fix }, value) => {
  fix.course = number(value);
};
const identity: Setter = (gathering, value) => {
  if (value !== '') gathering.id = value;
};

/** https://www.traccar.org/osmand/, "Parameters". */
const SETTERS: Readonly<Record<string, Setter>> = {
  id: identity,
  deviceid: identity,
  valid(gathering, value) {
    gathering.valid = value === '1' || isTrue(value);
  },
  timestamp(gathering, value) {
    gathering.time = timeOf(value);
  },
  lat({ fix }, value) {
    fix.latitude = number(value);
  },
  lon({ fix }, value) {
    fix.longitude = number(value);
  },
  location({ fix }, value) {
    const [latitude = '', longitude = ''] = value.split(',');
    fix.latitude = number(latitude);
    fix.longitude = number(longitude);
  },
  cell({ draft }, value) {
    const parts = value.split(',').map(whole);
    const [mcc, mnc, lac, cid, rssi] = parts;
    if (mcc === undefined || mnc === undefined || lac === undefined || cid === undefined) bad('cell', value);
    else draft.addCell(rssi === undefined ? { mcc, mnc, lac, cid } : { mcc, mnc, lac, cid, rssi: negative(rssi) });
  },
  wifi({ draft }, value) {
    const [mac = '', rssi = ''] = value.split(',');
    const address = mac.replaceAll('-', ':');
    if (!MAC.test(address)) bad('access point', value);
    draft.addAccessPoint(address, negative(whole(rssi)));
  },
  speed({ fix, speedFactor }, value) {
    // -1: the phone has none
    const speed = number(value);
    if (speed >= 0) fix.speed = speed * speedFactor;
  },
  bearing: course,
  heading: course,
  altitude({ fix }, value) {
    fix.altitude = number(value);
  },
  accuracy({ draft }, value) {
    // Traccar Client sends 0 where the fix is that of satellites, phones send -1 where they know none.
    const accuracy = number(value);
    if (accuracy > 0) draft.accuracy = accuracy;
  },
  hdop({ draft }, value) {
    draft.attributes['hdop'] = number(value);
  },
  batt({ draft }, value) {
    // A phone without a reading sends -1, Traccar Client of iOS -100.
    const level = number(value);
    if (level >= 0 && level <= 100) draft.attributes['batteryLevel'] = level;
    else if (level > 100) draft.attributes['batt'] = level;
  },
  driverUniqueId({ draft }, value) {
    draft.attributes['driverUniqueId'] = value;
  },
  charge({ draft }, value) {
    draft.attributes['charge'] = isTrue(value);
  },
  notificationToken() {},
};

const MAC = /^[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}$/;

/** One request's report. Throws CodecError if a value cannot be what it must be. */
export function readQuery(query: Query, now: number, factor: number): Report {
  const fix: Gathering['fix'] = {};
  const gathering: Gathering = {
    draft: new Draft(),
    speedFactor: factor,
    fix,
    id: undefined,
    time: undefined,
    valid: true,
  };
  for (const [name, values] of query) {
    const set = Object.hasOwn(SETTERS, name) ? SETTERS[name] : undefined;
    for (const value of values) {
      if (set !== undefined) set(gathering, value);
      else addOwn(gathering.draft.attributes, name, value);
    }
  }
  return { id: gathering.id, position: finish(gathering, now) };
}

function finish({ draft, fix, time = Number.NaN, valid }: Gathering, now: number): Position {
  const { latitude, longitude, altitude, speed, course } = fix;
  const at = Number.isNaN(time) ? now : time;
  draft.deviceTime = at;
  if (latitude === undefined || longitude === undefined) return draft.toPosition();
  draft.setFix(at, valid, latitude, longitude);
  draft.setMovement(altitude, speed, course);
  return draft.toPosition();
}

/** A value under the name that the app or its user gave it; numbers and booleans are recognized in text. */
function addOwn(attributes: Attributes, name: string, value: string): void {
  if (value === '') return;
  const decimal = decimal64(value);
  if (decimal !== undefined) setDeviceNamed(attributes, name, decimal);
  else setDeviceNamed(attributes, name, value === 'true' ? true : value === 'false' ? false : value);
}

const DECIMAL = /^[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?[dfDF]?$/;

function decimal64(text: string): number | undefined {
  const trimmed = text.trim();
  const plain = parseDecimal(trimmed);
  if (plain !== undefined) return plain;
  if (!DECIMAL.test(trimmed)) return undefined;
  const value = Number(trimmed.replace(/[dfDF]$/, ''));
  return Number.isFinite(value) ? value : undefined;
}

function number(text: string): number {
  return decimal64(text) ?? bad('number', text);
}

const INTEGER = /^[+-]?\d{1,15}$/;

const whole = (text: string): number => (INTEGER.test(text) ? Number(text) : bad('whole number', text));
const negative = (rssi: number): number => (rssi > 0 ? -rssi : rssi);
const isTrue = (text: string): boolean => text.toLowerCase() === 'true';

/** Below this a time is in seconds: the years up to 2038. */
const SECONDS = 2_147_483_647;
const LATEST = 253_402_214_400_000;
const CALENDAR = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Epoch ms of seconds, milliseconds, ISO 8601 with a zone, or a calendar time in UTC. */
function timeOf(text: string): number {
  if (INTEGER.test(text)) {
    const value = Number(text);
    const ms = value < SECONDS ? value * 1000 : value;
    return ms >= 0 && ms <= LATEST ? ms : bad('time', text);
  }
  if (!ISO.test(text) && !CALENDAR.test(text)) return bad('time', text);
  const ms = utcFromIso(CALENDAR.test(text) ? `${text.replace(' ', 'T')}Z` : text);
  return ms >= 0 ? ms : bad('time', text);
}

function bad(what: string, text: string): never {
  throw new CodecError('bad-text', `no ${what}: ${text.slice(0, 40)}`);
}
