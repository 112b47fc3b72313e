import type { AccessPoint, Attributes, Cell, Network, Position } from './messages.ts';

type Filled = { -readonly [K in keyof Position]: Position[K] };

/** 9999-12-31: the last day that a calendar text holds. */
const LATEST = 253_402_214_400_000;

const isTime = (time: number | undefined): time is number => time !== undefined && time >= 0 && time <= LATEST;
const finite = (value: number): number => (Number.isFinite(value) ? value : 0);

/**
 * A position that is being filled in, part by part, by the handlers of a binary message. Without `setFix` it is a
 * record without a fix of its own. What no position may hold (coordinates off the globe, times that no calendar has,
 * values that are no number) is kept apart or left out by `toPosition`.
 */
export class Draft {
  deviceId: string | undefined = undefined;
  deviceTime: number | undefined = undefined;
  fixTime: number | undefined = undefined;
  hasFix = false;
  valid = false;
  latitude = 0;
  longitude = 0;
  altitude = 0;
  speed = 0;
  course = 0;
  accuracy: number | undefined = undefined;
  readonly attributes: Attributes;
  #cells: Cell[] | undefined = undefined;
  #wifi: AccessPoint[] | undefined = undefined;

  constructor(attributes: Attributes = {}) {
    this.attributes = attributes;
  }

  /** The coordinates in degrees, at epoch ms `time`, which is also the device's time where none was set. */
  setFix(time: number, valid: boolean, latitude: number, longitude: number): void {
    this.hasFix = true;
    this.fixTime = time;
    this.deviceTime ??= time;
    this.valid = valid;
    this.latitude = latitude;
    this.longitude = longitude;
  }

  /** Altitude in m, speed in km/h, course in degrees. */
  setMovement(altitude: number, speed: number, course: number): void {
    this.altitude = altitude;
    this.speed = speed;
    this.course = course;
  }

  /** Alarms are listed in the order in which they were found. */
  addAlarm(name: string | undefined): void {
    if (name === undefined) return;
    const { alarm } = this.attributes;
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
    const { attributes, latitude, longitude, deviceTime, fixTime } = this;
    if (!this.hasFix) return this.#withoutFix();
    if (!(latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180)) {
      this.setNumber('rawLatitude', latitude);
      this.setNumber('rawLongitude', longitude);
      return this.#withoutFix();
    }
    const { valid } = this;
    const altitude = finite(this.altitude);
    const speed = finite(this.speed);
    const course = finite(this.course);
    const position: Filled =
      isTime(deviceTime) && isTime(fixTime)
        ? { type: 'position', deviceTime, fixTime, valid, latitude, longitude, altitude, speed, course, attributes }
        : { type: 'position', valid, latitude, longitude, altitude, speed, course, attributes };
    if (this.accuracy !== undefined) position.accuracy = this.accuracy;
    return this.#finish(position);
  }

  #withoutFix(): Position {
    const position: Filled = { type: 'position', valid: false, outdated: true, attributes: this.attributes };
    if (isTime(this.deviceTime)) position.deviceTime = this.deviceTime;
    return this.#finish(position);
  }

  #finish(position: Filled): Position {
    if (this.deviceId !== undefined) position.deviceId = this.deviceId;
    const network = networkOf(this.#cells, this.#wifi);
    if (network !== undefined) position.network = network;
    return position;
  }
}

function networkOf(cells: Cell[] | undefined, wifi: AccessPoint[] | undefined): Network | undefined {
  if (cells !== undefined) return wifi === undefined ? { cells } : { cells, wifi };
  return wifi === undefined ? undefined : { wifi };
}
