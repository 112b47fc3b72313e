import type { FeedPosition } from '../../ingest/feed/index.ts';
import type { Reading, Report } from './count.ts';

/** Attributes in m, the most reliable first. */
const ODOMETERS = ['obdOdometer', 'odometer', 'totalDistance'] as const;

type Row = Pick<
  FeedPosition,
  'deviceId' | 'time' | 'valid' | 'outdated' | 'latitude' | 'longitude' | 'speed' | 'ignition' | 'attributes'
>;

/** A stored position as counters read it. Two attributes are found in the JSON text: parsing it would cost more than counting. */
export function reportOf(row: Row): Report {
  const { deviceId, time: at, valid, outdated, latitude, longitude, speed, ignition, attributes } = row;
  const isPlaced = valid && !outdated && latitude !== undefined && longitude !== undefined;
  let odometer: Reading | undefined;
  for (const name of ODOMETERS) odometer ??= readingOf(attributes, name);
  return {
    at,
    deviceId,
    place: isPlaced ? [latitude, longitude] : undefined,
    speed,
    ignition,
    odometer,
    engine: readingOf(attributes, 'hours'),
  };
}

function readingOf(attributes: string, name: string): Reading | undefined {
  const key = `"${name}":`;
  const at = attributes.indexOf(key);
  if (at < 0) return undefined;
  const value = Number.parseFloat(attributes.slice(at + key.length, at + key.length + 24));
  return Number.isFinite(value) ? { name, value } : undefined;
}
