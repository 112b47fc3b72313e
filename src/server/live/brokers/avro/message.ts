import type { StreamMessage } from '../message.ts';
import { encodeAvro } from './encode.ts';
import { fingerprintOf } from './fingerprint.ts';
import { eventSchema, positionSchema } from './schema.ts';

type Scalar = string | number | boolean;

interface Position {
  readonly imei: string;
  readonly targa?: string | null;
  readonly deviceTime?: string;
  readonly fixTime?: string;
  readonly serverTime: string;
  readonly outdated?: boolean;
  readonly network?: {
    readonly cells?: readonly Record<string, number>[];
    readonly wifi?: readonly Record<string, string | number>[];
  };
  readonly attributes: Readonly<Record<string, Scalar>>;
}

const POSITION = fingerprintOf(positionSchema);
const EVENT = fingerprintOf(eventSchema);

export interface AvroMessage {
  readonly value: Buffer;
  /** of the schema */
  readonly fingerprint: string;
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text));

export function avroOf({ id, kind, tenant, device, at, body }: StreamMessage): AvroMessage {
  const { data } = JSON.parse(body) as { readonly data: Position };
  const head = { id, type: `fleetgate.${kind}`, tenant };
  if (kind !== 'position' && kind !== 'alarm') {
    const event = { ...head, imei: device, time: Math.floor(at), data: JSON.stringify(data) };
    return { value: encodeAvro(eventSchema, event), fingerprint: EVENT };
  }
  const { network, ...others } = data;
  const position = {
    ...others,
    ...head,
    deviceTime: timeOf(data.deviceTime),
    fixTime: timeOf(data.fixTime),
    serverTime: timeOf(data.serverTime),
    outdated: data.outdated === true,
    cells: network?.cells ?? [],
    accessPoints: network?.wifi ?? [],
  };
  return { value: encodeAvro(positionSchema, position), fingerprint: POSITION };
}
