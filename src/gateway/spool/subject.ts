import { asText, type RecordKind } from './record.ts';

/** Device, type and time of a record, for lists. */
export interface Subject {
  /** `position`, or the type of the event; `unknown` if the record cannot be read */
  readonly what: string;
  readonly imei?: string;
  readonly protocol?: string;
  /** of the fix, or of the event, epoch ms */
  readonly time?: number;
}

export function subjectOf(kind: RecordKind, bytes: Buffer): Subject {
  const record = read(kind, bytes);
  if (record === undefined) return { what: 'unknown' };
  const type = record['type'];
  const inner = record['position'];
  const body = typeof inner === 'object' && inner !== null ? (inner as Fields) : record;
  const imei = text(body['imei']) ?? text(body['deviceId']);
  const protocol = text(body['protocol']);
  const time = timeOf(body['at'] ?? body['fixTime'] ?? body['deviceTime'] ?? body['serverTime']);
  return {
    what: text(type) ?? 'position',
    ...(imei !== undefined && { imei }),
    ...(protocol !== undefined && { protocol }),
    ...(time !== undefined && { time }),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** A record that a target rejects may be damaged. */
function read(kind: RecordKind, bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(asText(kind, bytes).bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, 64) : undefined;

function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'number' ? value : Date.parse(String(value));
  return Number.isSafeInteger(at) && at >= 0 && at <= 8.64e15 ? at : undefined;
}
