import { createHash } from 'node:crypto';
import type { PositionRecord } from '../../src/contract/position.ts';

const START = Date.UTC(2026, 4, 1, 8, 0, 0);

/** Position `n` of a device that drives north-east, one record a second. */
export function positionOf(
  imei: string,
  n: number,
  over: Partial<PositionRecord> = {},
  startAt = START,
): PositionRecord {
  const time = new Date(startAt + n * 1000).toISOString();
  return {
    id: createHash('sha256').update(`${imei} ${n}`).digest('base64url').slice(0, 22),
    deviceId: imei,
    protocol: 'teltonika',
    deviceTime: time,
    fixTime: time,
    serverTime: new Date(startAt + n * 1000 + 250).toISOString(),
    valid: true,
    latitude: 41.9 + n * 1e-4,
    longitude: 12.5 + n * 1e-4,
    altitude: 40,
    speed: 52,
    course: 45,
    attributes: {
      sat: 11,
      event: 0,
      ignition: true,
      motion: true,
      rssi: 4,
      power: 12.61,
      battery: 4.05,
      odometer: 1_200_000 + n,
      io69: 1,
      gps: 3,
      operator: 22201,
      io200: 0,
      pdop: 1.2,
      hdop: 0.8,
      fuelLevel: 55,
      adc1: 2.4,
      driverUniqueId: '0000000000000000',
    },
    ...over,
  };
}

export const positionEvent = (imei: string, n: number, over: Partial<PositionRecord> = {}, startAt = START) => ({
  type: 'position',
  position: positionOf(imei, n, over, startAt),
});
