import { packPosition } from '../../src/contract/telemetry/index.ts';
import { type NewRecord, PACKED } from '../../src/gateway/spool/index.ts';
import { HEADER_BYTES, writeRecord } from '../../src/gateway/spool/record.ts';

export const START = Date.UTC(2026, 4, 1, 8);

export interface SpoolRecord extends NewRecord {
  readonly seq: number;
}

/** Position `n` of a device, one a second, as a gateway packs it. */
export function packedPosition(
  seq: number,
  imei: string,
  n: number,
  attributes: object = { ignition: n % 2 === 0 },
): SpoolRecord {
  const time = START + n * 1000;
  const fix = {
    deviceTime: time,
    fixTime: time,
    latitude: (41_900 + n) / 1000,
    longitude: 12.5,
    altitude: 20,
    speed: n,
  };
  const position = { type: 'position', valid: true, course: 90, ...fix, attributes } as const;
  return { seq, kind: PACKED, bytes: packPosition(imei, 'teltonika', position as never, time + 250) };
}

/** A run of a spool's records, as gateways report them. */
export function spoolBody(records: readonly SpoolRecord[]): Buffer {
  const body = Buffer.alloc(records.reduce((sum, { bytes }) => sum + HEADER_BYTES + bytes.length, 0));
  let at = 0;
  for (const { seq, kind, bytes } of records) at = writeRecord(body, at, seq, 0, { kind, bytes });
  return body;
}
