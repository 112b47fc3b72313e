import type { Rejection, StreamMessage } from '../message.ts';

/** A position for formats of other servers. Missing values are undefined. */
export interface Report {
  readonly message: StreamMessage;
  readonly device: string;
  /** epoch ms: of the fix, otherwise of the record */
  readonly time: number;
  /** current place; undefined if the position has no valid fix */
  readonly place: { readonly latitude: number; readonly longitude: number } | undefined;
  readonly altitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly cells: readonly Cell[];
  readonly alarms: readonly string[];
  /** attributes without alarms */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

export interface Cell {
  readonly mcc: number;
  readonly mnc: number;
  readonly lac: number;
  readonly cid: number;
}

interface Data {
  readonly deviceTime?: string;
  readonly fixTime?: string;
  readonly serverTime: string;
  readonly valid: boolean;
  readonly outdated?: boolean;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly altitude?: number;
  readonly speed?: number;
  readonly course?: number;
  readonly network?: { readonly cells?: readonly Cell[] };
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

const NO_TEST = 'The receiver was reached; its protocol has no test message, only positions of devices';

/** Reports of messages. A message that is not of a device cannot be sent. */
export function reportsOf(messages: readonly StreamMessage[]): {
  readonly reports: Report[];
  readonly rejections: Rejection[];
} {
  const reports: Report[] = [];
  const rejections: Rejection[] = [];
  for (const message of messages) {
    const report = reportOf(message);
    if (report === undefined) rejections.push({ message, reason: NO_TEST });
    else reports.push(report);
  }
  return { reports, rejections };
}

function reportOf(message: StreamMessage): Report | undefined {
  const { device, body } = message;
  if (device === undefined) return undefined;
  const { data } = JSON.parse(body) as { readonly data: Data };
  const { latitude, longitude, valid, outdated, deviceTime, fixTime, serverTime } = data;
  const isFix = valid && outdated !== true && latitude !== undefined && longitude !== undefined;
  const { alarm, ...attributes } = data.attributes;
  return {
    message,
    device,
    time: Date.parse((isFix ? (fixTime ?? deviceTime) : (deviceTime ?? fixTime)) ?? serverTime),
    place: isFix ? { latitude, longitude } : undefined,
    altitude: isFix ? data.altitude : undefined,
    speed: data.speed,
    course: data.course,
    cells: data.network?.cells ?? [],
    alarms: typeof alarm === 'string' ? alarm.split(',').map((name) => name.trim()) : [],
    attributes,
  };
}

/** 0 to 359 */
export const wholeDegrees = (course: number): number => ((Math.round(course) % 360) + 360) % 360;

/** A number of the attributes; undefined if it is absent or text. */
export function numberOf({ attributes }: Report, name: string): number | undefined {
  const value = attributes[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
