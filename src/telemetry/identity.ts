import { hash } from 'node:crypto';
import type { Attributes, Position } from '#codec';

/**
 * A position as it leaves the gateway: one JSON text (the vocabulary; times RFC 3339 UTC), encoded once. These bytes
 * go to the spool and to every target, and `id` is taken from them.
 */
export interface EncodedPosition {
  readonly id: string;
  readonly json: string;
}

/** What a resent record may carry anew although it is the same record. */
const VOLATILE: ReadonlySet<string> = new Set(['index', 'archive']);

/** needs no escape in JSON */
const PLAIN = /^[\w .,:;+/()-]*$/;
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** `"name":value,`, or nothing where there is no value. */
const field = (name: string, value: number | undefined): string => (value === undefined ? '' : `"${name}":${value},`);
const time = (name: string, epochMs: number | undefined): string =>
  epochMs === undefined ? '' : `"${name}":"${formatInstant(epochMs)}",`;

/**
 * Encodes a record of a device. The id is a hash of device and record without server time, index and archive flag:
 * not of device and time (trackers send several records of one millisecond), not of the frame (records are packed
 * anew after a reconnect).
 */
export function encodePosition(deviceId: string, protocol: string, p: Position, serverTime: number): EncodedPosition {
  const { stable, volatile } = split(p.attributes);
  const record =
    `"deviceId":${quoted(deviceId)},"protocol":"${protocol}",` +
    time('deviceTime', p.deviceTime) +
    time('fixTime', p.fixTime) +
    `"valid":${p.valid},` +
    (p.outdated ? '"outdated":true,' : '') +
    field('latitude', p.latitude) +
    field('longitude', p.longitude) +
    field('altitude', p.altitude) +
    field('speed', p.speed) +
    field('course', p.course) +
    field('accuracy', p.accuracy) +
    (p.network === undefined ? '' : `"network":${JSON.stringify(p.network)},`);
  const id = recordId(`${record}${stable}`);
  return {
    id,
    json: `{"id":"${id}","serverTime":"${serverInstant.of(serverTime)}",${record}"attributes":{${join(stable, volatile)}}}`,
  };
}

/** 22 characters of base64url: 132 bits of SHA-256. */
export function recordId(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}

const join = (a: string, b: string): string => (a === '' || b === '' ? a + b : `${a},${b}`);

/** The attributes as members of a JSON object: those that make the record, and those that a repeat may change. */
function split(attributes: Attributes): { stable: string; volatile: string } {
  let stable = '';
  let volatile = '';
  for (const key in attributes) {
    const value = attributes[key]!;
    const member = `"${key}":${typeof value === 'string' ? quoted(value) : value}`;
    if (VOLATILE.has(key)) volatile = join(volatile, member);
    else stable = join(stable, member);
  }
  return { stable, volatile };
}

const DAY = 86_400_000;

/** Formats instants; the date's text is kept while the day stays the same, as it does in records that lie close. */
class InstantFormat {
  #day = Number.NaN;
  #date = '';

  of(epochMs: number): string {
    const day = Math.floor(epochMs / DAY);
    if (day !== this.#day) {
      const text = new Date(epochMs).toISOString();
      if (text.length !== 24) throw new RangeError(`not a time of the years 0 to 9999: ${epochMs}`);
      this.#day = day;
      this.#date = text.slice(0, 11);
    }
    const ms = Math.floor(epochMs - day * DAY);
    const seconds = Math.floor(ms / 1000);
    const fraction = ms % 1000;
    return `${this.#date}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}${
      fraction === 0 ? 'Z' : `.${String(fraction).padStart(3, '0')}Z`
    }`;
  }
}

// One for the server's clock and one for records, which may be of other days.
const serverInstant = new InstantFormat();
const recordInstant = new InstantFormat();

/** RFC 3339 UTC of epoch ms; milliseconds only where there are any. Throws RangeError outside of years 0 to 9999. */
export const formatInstant = (epochMs: number): string => recordInstant.of(epochMs);

const two = (n: number): string => (n < 10 ? `0${n}` : `${n}`);
