import type { PositionRecord } from '../../../../contract/position.ts';
import type { PositionRow } from '../../../../contract/position-row.ts';
import { encodePosition } from '../../../../contract/telemetry/identity.ts';
import { storableJson, storableText } from '../../../database/index.ts';
import type { KnownDevice } from '../../../devices/directory/index.ts';
import { parseInstant } from './instants.ts';

export type { PositionRow };

const instantOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInstant(text);

/** `now` (epoch ms): the server time of a record that has none. */
export function toRow(record: PositionRecord, device: KnownDevice, now: number): PositionRow {
  const deviceTime = instantOf(record.deviceTime);
  const fixTime =
    record.fixTime === undefined || record.fixTime === record.deviceTime ? undefined : parseInstant(record.fixTime);
  const fixed = record.fixTime === undefined ? undefined : (fixTime ?? deviceTime);
  const serverTime = instantOf(record.serverTime) ?? now;
  const attributes = storableJson(record.attributes);
  return {
    deviceId: device.id,
    tenantId: device.tenantId,
    time: fixed ?? deviceTime ?? serverTime,
    id: record.id ?? identify(record, deviceTime, fixed, serverTime),
    latitude: record.latitude,
    longitude: record.longitude,
    speed: record.speed,
    course: record.course,
    valid: record.valid,
    outdated: record.outdated === true,
    altitude: record.altitude,
    accuracy: record.accuracy,
    deviceTime,
    fixTime: fixed,
    serverTime,
    protocol: record.protocol === undefined ? undefined : storableText(record.protocol),
    network: record.network === undefined ? undefined : storableJson(record.network),
    attributes,
    ignition: ignitionOf(attributes),
  };
}

const IGNITION = /"ignition"\s*:\s*(true|false|1|0)(?=\s*[,}])/;

/** In JSON text: a quotation mark inside of a string is never bare, so a bare name is the key. */
function ignitionOf(attributes: string): boolean | undefined {
  if (!attributes.includes('"ignition"')) return undefined;
  const value = IGNITION.exec(attributes)?.[1];
  return value === undefined ? undefined : value === 'true' || value === '1';
}

/** The id of a record that was pushed without one: the id that a gateway would give it. */
function identify(
  record: PositionRecord,
  deviceTime: number | undefined,
  fixTime: number | undefined,
  receivedAt: number,
): string {
  const { deviceId, protocol, serverTime: _, id: __, deviceTime: ___, fixTime: ____, ...rest } = record;
  const times = { ...(deviceTime === undefined ? {} : { deviceTime }), ...(fixTime === undefined ? {} : { fixTime }) };
  const position = { type: 'position', ...rest, ...times } as Parameters<typeof encodePosition>[2];
  return encodePosition(deviceId, protocol ?? '', position, receivedAt).id;
}

/**
 * A fix to show on a map: coordinates of its own, and not the 0, 0 of a receiver that has none. One that is not valid counts
 * only at a time of the device: the time of its receipt, which may be years later, would make it the current position.
 */
export function hasFix(row: PositionRow): boolean {
  if (row.outdated || row.latitude === undefined || row.longitude === undefined) return false;
  if (row.valid) return true;
  return (row.fixTime ?? row.deviceTime) !== undefined && (row.latitude !== 0 || row.longitude !== 0);
}
