import {
  type CodecError,
  type Decoded,
  type DeviceOptions,
  fromHex,
  type HttpReply,
  type Message,
  type Position,
  type Protocol,
  type Reply,
  toHex,
} from '#codec';
import { formatInstant } from '../contract/telemetry/instants.ts';

/** A frame as recordings name it: after framing, with per-device options that it needs. */
export type RecordedFrame = { readonly options?: DeviceOptions } & (
  | { readonly kind: 'binary'; readonly hex: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly uri: string;
      readonly headers?: Record<string, string>;
      readonly hex?: string;
    }
);

export interface RecordedSession {
  readonly protocol: string;
  readonly session: number;
  readonly frames: readonly RecordedFrame[];
}

type AnyDecoded = Decoded<unknown, Reply | HttpReply>;

/** Decodes one cut frame in the given state. Throws CodecError. */
export function decodeRecorded(protocol: Protocol, frame: RecordedFrame, state: unknown, now: number): AnyDecoded {
  const context = { state, options: frame.options ?? {}, now };
  if (frame.kind === 'http') {
    if (protocol.carrier !== 'http') throw new TypeError(`${protocol.id} does not speak HTTP`);
    const { method, uri, headers = {}, hex = '' } = frame;
    const lower = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v]));
    return protocol.decode({ method, uri, headers: lower, body: fromHex(hex) }, { ...context, transport: 'http' });
  }
  if (protocol.carrier === 'http') throw new TypeError(`${protocol.id} speaks HTTP only`);
  const bytes = frame.kind === 'binary' ? fromHex(frame.hex) : new TextEncoder().encode(frame.text);
  return protocol.decode(bytes, { ...context, transport: 'tcp' });
}

/** A login's ids, or the device that a message names on a connection that carries several. */
function namesIn(message: Message): readonly string[] {
  if (message.type === 'login') return message.ids;
  return message.deviceId === undefined ? [] : [message.deviceId];
}

/** The form that recordings are compared in: positions with text times, replies in hex, the ids that were named. */
export function describeDecoded({ messages, replies }: AnyDecoded): object {
  return {
    positions: messages.filter((m) => m.type === 'position').map(describePosition),
    deviceIds: [...new Set(messages.flatMap(namesIn))],
    replies: replies.filter((r) => r.when !== 'refused').map(describeReply),
  };
}

function describeReply(reply: Reply | HttpReply): object {
  return 'status' in reply
    ? { status: reply.status, headers: reply.headers, hex: toHex(reply.body ?? new Uint8Array(0)) }
    : { hex: toHex(reply.bytes) };
}

export function describePosition({ type: _, deviceTime, fixTime, ...position }: Position): object {
  return {
    ...position,
    ...(deviceTime === undefined ? {} : { deviceTime: formatInstant(deviceTime) }),
    ...(fixTime === undefined ? {} : { fixTime: formatInstant(fixTime) }),
  };
}

export function describeMessage(message: Message): object {
  if (message.type === 'position') return { type: 'position', ...describePosition(message) };
  if ('bytes' in message && message.bytes !== undefined) return { ...message, bytes: toHex(message.bytes) };
  return message;
}

export const describeError = (error: CodecError): object => ({ error: error.message, code: error.code });
