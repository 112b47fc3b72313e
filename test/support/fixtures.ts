import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CommandParameters, DeviceOptions, Message, Reply } from '#codec';
import { httpRequest, httpResponse } from '#codec/http';

/**
 * One scenario of `protocols/<id>/fixtures/*.json`. Golden values come from the vendor's document or are worked out
 * from what an encoder was given; never from the decoder. In JSON: times are RFC 3339 text, bytes are `{"hex":"…"}`.
 * HTTP may be written in parts: `request` (`method`, `uri`, `headers`, `body`) or `response` (`status` …) for `wire`.
 */
export interface Fixture {
  readonly title: string;
  /** the vendor's document and clause, or how the values were worked out */
  readonly source: string;
  readonly transport: 'tcp' | 'udp';
  readonly options?: DeviceOptions;
  /** given where the connection belongs to a device already */
  readonly deviceId?: string;
  /** clock of the gateway, RFC 3339; for what depends on it */
  readonly now?: string;
  /** in the order of the wire; `wire` is hex as sent (escaped), or latin-1 text with a `text:` prefix */
  readonly frames?: readonly {
    readonly wire: string;
    /** as in src/codec/messages.ts; absent: the frame verifies and does not decode */
    readonly messages?: readonly unknown[];
    readonly replies: readonly { readonly when: Reply['when']; readonly wire: string }[];
    /** how many bytes of `wire` are passed over: filler that belongs to no frame */
    readonly skips?: number;
    /** why no checksum guards this frame, in a protocol whose frames carry one (a login, a datagram, an option) */
    readonly unprotected?: string;
  }[];
  readonly commands?: readonly {
    readonly type: string;
    readonly params: CommandParameters;
    readonly deviceId: string;
    readonly ticket?: string;
    readonly options?: DeviceOptions;
    readonly wire: string;
  }[];
}

const protocols = join(fileURLToPath(import.meta.url), '..', '..', '..', 'protocols');

/** All scenarios of a protocol, by file name. */
export function loadFixtures(protocol: string, parent = protocols): { name: string; fixture: Fixture }[] {
  const folder = join(parent, protocol, 'fixtures');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((name) => ({ name, fixture: JSON.parse(readFileSync(join(folder, name), 'utf8'), onTheWire) as Fixture }));
}

interface HttpForm {
  readonly request?: { method: string; uri: string; headers?: Record<string, string>; body?: string };
  readonly response?: { status: number; headers?: Record<string, string>; body?: string };
}

/** HTTP is easier to read and to write in parts: `request` and `response` stand for `wire`. */
function onTheWire(_key: string, value: unknown): unknown {
  const { request, response, ...rest } = (typeof value === 'object' && value !== null ? value : {}) as HttpForm;
  if (request !== undefined) {
    const { method, uri, headers = {}, body = '' } = request;
    return { ...rest, wire: toHex(httpRequest(method, uri, headers, Buffer.from(body))) };
  }
  if (response !== undefined) {
    const { status, headers = {}, body = '' } = response;
    return { ...rest, wire: toHex(httpResponse(status, headers, Buffer.from(body))) };
  }
  return value;
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

export function wireBytes(wire: string): Uint8Array {
  return wire.startsWith('text:')
    ? Uint8Array.from(Buffer.from(wire.slice(5), 'latin1'))
    : Uint8Array.from(Buffer.from(wire, 'hex'));
}

/** Messages in the form of fixtures: times as text, bytes as `{hex}`, absent fields left out. */
export function asFixture(message: Message): unknown {
  return JSON.parse(
    JSON.stringify(message, (key, value: unknown) => {
      if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString('hex') };
      if ((key === 'deviceTime' || key === 'fixTime') && typeof value === 'number')
        return new Date(value).toISOString();
      return value;
    }),
  );
}
