import { AT, PRESENT, positionPartsOf } from '../../../../contract/telemetry/index.ts';
import type { KnownDevice } from '../../../devices/directory/index.ts';

/** Packed positions as their columns need them. */
export interface PackedSource {
  readonly count: number;
  readonly view: DataView;
  /** where each position begins */
  readonly starts: readonly number[];
  readonly devices: readonly KnownDevice[];
  /** epoch ms */
  readonly times: Float64Array;
}

/** What the positions of a batch have in common: such values travel once. */
export interface Survey {
  /** bits of `FLAG` that all records have, and those that at least one has */
  readonly flags: Bits;
  /** the same for `PRESENT` */
  readonly present: Bits;
  readonly isOneTenant: boolean;
  readonly isOneProtocol: boolean;
  readonly isOneAltitude: boolean;
  readonly isOneAccuracy: boolean;
  /** all records have a device time, and it is their time */
  readonly isDeviceTime: boolean;
  /** all records have the time of a fix, and it is their time */
  readonly isFixTime: boolean;
  /** of all attributes together */
  readonly attributeBytes: number;
}

export interface Bits {
  readonly every: number;
  readonly some: number;
}

/** In one pass: the records of a batch are more than a processor's cache holds. */
export function survey({ count, view, starts, devices, times }: PackedSource): Survey {
  const first = starts[0]!;
  const { tenantId } = devices[0]!;
  const altitude = view.getFloat64(first + AT.altitude);
  const accuracy = view.getFloat64(first + AT.accuracy);
  let [everyFlag, someFlag, everyPresent, somePresent] = [0xff, 0, 0xffff, 0];
  let isOneTenant = true;
  let isOneProtocol = true;
  let isOneAltitude = true;
  let isOneAccuracy = true;
  let isDeviceTime = true;
  let isFixTime = true;
  let attributeBytes = 0;
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    const flags = view.getUint8(start + AT.flags);
    const present = view.getUint16(start + AT.present);
    everyFlag &= flags;
    someFlag |= flags;
    everyPresent &= present;
    somePresent |= present;
    isOneTenant &&= devices[i]!.tenantId === tenantId;
    isOneProtocol &&= isSameProtocol(view, first, start);
    // what is absent is 0
    isOneAltitude &&= view.getFloat64(start + AT.altitude) === altitude;
    isOneAccuracy &&= view.getFloat64(start + AT.accuracy) === accuracy;
    isDeviceTime &&= view.getFloat64(start + AT.deviceTime) === times[i];
    isFixTime &&= view.getFloat64(start + AT.fixTime) === times[i];
    attributeBytes += view.getUint32(start + AT.attributesLength);
  }
  const flags = { every: everyFlag, some: someFlag };
  const present = { every: everyPresent, some: somePresent };
  return {
    flags,
    present,
    isOneTenant,
    isOneProtocol,
    isOneAltitude: isOneAltitude && areSame(present, PRESENT.altitude),
    isOneAccuracy: isOneAccuracy && areSame(present, PRESENT.accuracy),
    isDeviceTime: isDeviceTime && (everyPresent & PRESENT.deviceTime) !== 0,
    isFixTime: isFixTime && (everyPresent & PRESENT.fixTime) !== 0,
    attributeBytes,
  };
}

/** Do all records have the same of these bits? */
export const areSame = ({ every, some }: Bits, bits: number): boolean => ((every ^ some) & bits) === 0;

function isSameProtocol(view: DataView, first: number, other: number): boolean {
  const { protocol, network } = positionPartsOf(view, first);
  const { protocol: at, network: end } = positionPartsOf(view, other);
  if (end - at !== network - protocol) return false;
  for (let i = 0; i < end - at; i++) if (view.getUint8(protocol + i) !== view.getUint8(at + i)) return false;
  return true;
}

/**
 * The places of the records by device, those of one device as they came: an index by device and time is then entered
 * at neighbouring places, and rows of a device lie together.
 */
export function inOrderOfDevices(devices: readonly KnownDevice[]): Uint32Array {
  const { length } = devices;
  // a packet's records are a run; a run's key has its device and its place, exact for device ids below 2^53 / length
  const ends = new Uint32Array(length);
  const keys = new Float64Array(length);
  let runs = 0;
  let isInOrder = true;
  for (let from = 0; from < length; runs++) {
    const { id } = devices[from]!;
    let end = from + 1;
    while (end < length && devices[end]!.id === id) end++;
    ends[from] = end;
    keys[runs] = id * length + from;
    isInOrder &&= runs === 0 || keys[runs]! > keys[runs - 1]!;
    from = end;
  }
  const order = new Uint32Array(length);
  if (isInOrder) return order.map((_, place) => place);
  let at = 0;
  for (const key of keys.subarray(0, runs).sort()) {
    const from = key % length;
    for (let place = from; place < ends[from]!; place++) order[at++] = place;
  }
  return order;
}
