import type { FeedPosition } from '../../ingest/feed/index.ts';
import type { Fix } from '../rules/index.ts';

/** Members of a stored position that rules read. */
export type ReportRow = Pick<
  FeedPosition,
  | 'id'
  | 'time'
  | 'serverTime'
  | 'valid'
  | 'outdated'
  | 'latitude'
  | 'longitude'
  | 'speed'
  | 'course'
  | 'ignition'
  | 'attributes'
>;

/** The bytes of an id, as they are stored. One character more completes the last byte. */
export const bytesOfId = (id: string): Buffer => Buffer.from(`${id}A`, 'base64url');

/** A report too far in the future is skipped: it would otherwise hide all later reports from the rules. */
const AHEAD_MS = 300_000;
export const isAhead = ({ time, serverTime }: ReportRow, now: number): boolean =>
  time > serverTime + AHEAD_MS && time > now + AHEAD_MS;

/** A row as rules read it. A class, since there are as many of them as positions. */
export class Report implements Fix {
  readonly at: number;
  readonly id: string;
  readonly serverTime: number;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly ignition: boolean | undefined;
  readonly #text: string;
  #attributes: Readonly<Record<string, unknown>> | undefined;

  constructor(row: ReportRow) {
    this.at = row.time;
    this.id = row.id;
    this.serverTime = row.serverTime;
    this.valid = row.valid;
    this.outdated = row.outdated;
    this.latitude = row.latitude;
    this.longitude = row.longitude;
    this.speed = row.speed;
    this.course = row.course;
    this.ignition = row.ignition;
    this.#text = row.attributes;
  }

  /** In JSON text a quotation mark inside of a string is never bare: a bare name is a key, or a value. */
  mentions(name: string): boolean {
    return this.#text.includes(`"${name}"`);
  }

  attributes(): Readonly<Record<string, unknown>> {
    this.#attributes ??= JSON.parse(this.#text) as Readonly<Record<string, unknown>>;
    return this.#attributes;
  }
}

/** What was last known of a device, as it is stored with the start of a rule. Times are epoch ms. */
export interface KnownState {
  readonly at: number;
  readonly valid: boolean;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly speed: number | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The last known values as one report. */
export function reportOf({ at, valid, latitude, longitude, speed, attributes }: KnownState): Report {
  const { ignition, ...others } = attributes;
  return new Report({
    id: '',
    time: at,
    serverTime: at,
    valid,
    outdated: latitude === null,
    latitude: latitude ?? undefined,
    longitude: longitude ?? undefined,
    speed: speed ?? undefined,
    course: undefined,
    ignition: typeof ignition === 'boolean' ? ignition : undefined,
    attributes: JSON.stringify(others),
  });
}
