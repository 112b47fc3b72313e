import type { AccessPoint, Attributes, Cell, Network, Position } from './messages.ts';
import { createPosition, statusPosition } from './position.ts';
import { withoutRoundingError } from './rounding.ts';

type Filled = { -readonly [K in keyof Position]: Position[K] };

/**
 * A position that is being filled in, part by part, by the handlers of a binary message. Without `setFix` it is a
 * record without a fix of its own. Altitude, speed and course are absent unless they are set. What no position may hold
 * (see `createPosition`) is kept apart or left out by `toPosition`.
 */
export class Draft {
  deviceId: string | undefined = undefined;
  deviceTime: number | undefined = undefined;
  fixTime: number | undefined = undefined;
  hasFix = false;
  valid = false;
  latitude = 0;
  longitude = 0;
  altitude: number | undefined = undefined;
  speed: number | undefined = undefined;
  course: number | undefined = undefined;
  accuracy: number | undefined = undefined;
  readonly attributes: Attributes;
  #cells: Cell[] | undefined = undefined;
  #wifi: AccessPoint[] | undefined = undefined;

  constructor(attributes: Attributes = {}) {
    this.attributes = attributes;
  }

  /** The coordinates in degrees, at epoch ms `time`, which is also the device's time unless that is set. */
  setFix(time: number, valid: boolean, latitude: number, longitude: number): void {
    this.hasFix = true;
    this.fixTime = time;
    this.deviceTime ??= time;
    this.valid = valid;
    this.latitude = latitude;
    this.longitude = longitude;
  }

  /** Altitude in m, speed in km/h, course in degrees; undefined if the device did not send it. */
  setMovement(altitude: number | undefined, speed: number | undefined, course: number | undefined): void {
    this.altitude = altitude;
    this.speed = speed;
    this.course = course;
  }

  /** Alarms are listed in the order in which they were found. */
  addAlarm(name: string | undefined): void {
    if (name === undefined) return;
    const { alarm } = this.attributes;
    if (typeof alarm === 'string' && alarm.split(',').includes(name)) return;
    this.attributes['alarm'] = alarm === undefined ? name : `${alarm},${name}`;
  }

  /** Sets the attribute unless the value is no finite number (floats of the wire may be anything). */
  setNumber(key: string, value: number): void {
    if (Number.isFinite(value)) this.attributes[key] = value;
  }

  /** Entries equal in all fields count once. */
  addCell(cell: Cell): void {
    this.#cells ??= [];
    const { mcc, mnc, lac, cid, rssi } = cell;
    for (const c of this.#cells)
      if (c.cid === cid && c.lac === lac && c.rssi === rssi && c.mnc === mnc && c.mcc === mcc) return;
    this.#cells.push(cell);
  }

  addAccessPoint(mac: string, rssi?: number): void {
    this.#wifi ??= [];
    for (const w of this.#wifi) if (w.mac === mac && w.rssi === rssi) return;
    this.#wifi.push(rssi === undefined ? { mac } : { mac, rssi });
  }

  /** Whether nothing has been read into it yet. */
  get isEmpty(): boolean {
    if (this.hasFix || this.deviceTime !== undefined || this.#cells !== undefined || this.#wifi !== undefined)
      return false;
    for (const _ in this.attributes) return false;
    return true;
  }

  /** The position as far as it has been read; to be called once. */
  toPosition(): Position {
    const { attributes, deviceTime, deviceId, accuracy } = this;
    const network = networkOf(this.#cells, this.#wifi);
    const position: Filled = this.hasFix
      ? createPosition(this, attributes, network)
      : statusPosition(attributes, deviceTime, network);
    if (accuracy !== undefined && !position.outdated) position.accuracy = withoutRoundingError(accuracy);
    if (deviceId !== undefined) position.deviceId = deviceId;
    return position;
  }
}

function networkOf(cells: Cell[] | undefined, wifi: AccessPoint[] | undefined): Network | undefined {
  if (cells !== undefined) return wifi === undefined ? { cells } : { cells, wifi };
  return wifi === undefined ? undefined : { wifi };
}
