import type { Attributes, Network, Position } from '#codec';

/** 9999-12-31: the last day that a calendar text holds. */
const LATEST = 253_402_214_400_000;

/**
 * A record with a fix, times in epoch ms. One literal for the usual case, so that all positions have one shape. Where
 * the coordinates are off the globe there is no fix: they stay as raw values. A time that no calendar has is left out.
 */
export function createPosition(
  time: number,
  valid: boolean,
  latitude: number,
  longitude: number,
  altitude: number,
  speed: number,
  course: number,
  network: Network | undefined,
  attributes: Attributes,
): Position {
  const isOnGlobe = latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
  if (isOnGlobe && time <= LATEST) {
    const position: Position = {
      type: 'position',
      deviceTime: time,
      fixTime: time,
      valid,
      latitude,
      longitude,
      altitude,
      speed,
      course,
      attributes,
    };
    return network === undefined ? position : { ...position, network };
  }
  const times = time <= LATEST ? { deviceTime: time } : {};
  const more = network === undefined ? {} : { network };
  if (isOnGlobe)
    return { type: 'position', ...times, valid, latitude, longitude, altitude, speed, course, ...more, attributes };
  if (Number.isFinite(latitude)) attributes['rawLatitude'] = latitude;
  if (Number.isFinite(longitude)) attributes['rawLongitude'] = longitude;
  return { type: 'position', ...times, valid: false, outdated: true, ...more, attributes };
}

/** A record without a fix: an answer, a photo, values alone. */
export const withoutFix = (attributes: Attributes, deviceTime?: number): Position =>
  deviceTime === undefined
    ? { type: 'position', valid: false, outdated: true, attributes }
    : { type: 'position', deviceTime, valid: false, outdated: true, attributes };
