import { createHash } from 'node:crypto';
import type { StoredPosition } from '../../../contract/internal.ts';
import { type Attributes, toKnots, toTraccarAttributes } from './units.ts';

/** As Traccar's interface describes it. */
export interface TraccarPosition {
  readonly id: number;
  readonly deviceId: number;
  readonly protocol: string | null;
  readonly serverTime: string;
  readonly deviceTime: string;
  readonly fixTime: string;
  readonly outdated: boolean;
  readonly valid: boolean;
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
  readonly speed: number;
  readonly course: number;
  readonly address: null;
  readonly accuracy: number;
  readonly network: null;
  readonly geofenceIds: null;
  readonly attributes: Attributes;
}

const EPOCH_S = Date.UTC(2000, 0, 1) / 1000;
const SECONDS = 2 ** 31;

/**
 * 53 bits, exact in every client: number of the device, seconds since 2000, and one bit of the record id. The record is
 * found again by them.
 */
export function positionNumber(
  deviceNumber: number,
  { id, time }: { readonly id: string; readonly time: string },
): number {
  const second = Math.min(Math.max(Math.floor(Date.parse(time) / 1000) - EPOCH_S, 0), SECONDS - 1);
  const bit = createHash('sha256').update(id).digest()[0]! & 1;
  return (deviceNumber * SECONDS + second) * 2 + bit;
}

/** Device and instant (epoch ms, the first of its second) of a position's number. */
export function readPositionNumber(number: number): { readonly device: number; readonly at: number } {
  const whole = Math.floor(number / 2);
  return { device: Math.floor(whole / SECONDS), at: ((whole % SECONDS) + EPOCH_S) * 1000 };
}

const isLocated = (position: StoredPosition): position is StoredPosition & { latitude: number; longitude: number } =>
  position.latitude !== undefined && position.longitude !== undefined;

/**
 * Undefined for a record without a fix, since Traccar has no such positions. Traccar writes 0 if a device reports no
 * altitude, speed, course or accuracy, and so does this.
 */
export function toTraccarPosition(position: StoredPosition, deviceNumber: number): TraccarPosition | undefined {
  if (!isLocated(position)) return undefined;
  const { id, protocol, serverTime, valid, latitude, longitude } = position;
  const { altitude = 0, speed = 0, course = 0, accuracy = 0 } = position;
  const deviceTime = position.deviceTime ?? position.fixTime ?? serverTime;
  const fixTime = position.fixTime ?? deviceTime;
  return {
    id: positionNumber(deviceNumber, { id, time: fixTime }),
    deviceId: deviceNumber,
    protocol: protocol ?? null,
    serverTime,
    deviceTime,
    fixTime,
    outdated: position.outdated === true,
    valid,
    latitude,
    longitude,
    altitude,
    speed: toKnots(speed),
    course,
    address: null,
    accuracy,
    network: null,
    geofenceIds: null,
    attributes: toTraccarAttributes(position.attributes),
  };
}
