import type { ServerMessage } from '../contract.ts';
import { fromLatin1, toLatin1 } from '../reader.ts';
import { MessageReader } from './head.ts';

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
};

type Headers = Readonly<Record<string, string>>;
const NOTHING = new Uint8Array(0);

function message(line: string, headers: Headers, body: Uint8Array): Uint8Array {
  const fields = Object.entries({ ...headers, 'content-length': String(body.length) });
  const head = fromLatin1(`${line}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  const whole = new Uint8Array(head.length + body.length);
  whole.set(head);
  whole.set(body, head.length);
  return whole;
}

/** An answer of the server. */
export const httpResponse = (status: number, headers: Headers = {}, body: Uint8Array = NOTHING): Uint8Array =>
  message(`HTTP/1.1 ${status} ${REASONS[status] ?? 'Status'}`, headers, body);

/** A request of a device; for simulators. */
export const httpRequest = (
  method: string,
  uri: string,
  headers: Headers = {},
  body: Uint8Array = NOTHING,
): Uint8Array => message(`${method} ${uri} HTTP/1.1`, { host: 'fleetgate', ...headers }, body);

interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** bytes of the buffer that it takes */
  readonly bytes: number;
}

const MAX_RESPONSE_BYTES = 1_048_576;

/** The server's answer at the head of the buffer; undefined while it is not whole. For simulators. */
function readHttpResponse(buffer: Uint8Array): HttpResponse | undefined {
  const reader = new MessageReader(MAX_RESPONSE_BYTES);
  const head = reader.head(buffer);
  if (head === undefined) return undefined;
  const body = reader.body(buffer, head);
  if (body.type === 'wait') return undefined;
  return { status: Number(head.line.split(' ')[1]), headers: head.headers, body: body.bytes, bytes: body.end };
}

/** Whether an answer has room for a command: 200, plain text, and no body of its own. */
export function canCarryCommand(response: Uint8Array): boolean {
  const read = readHttpResponse(response);
  return read?.status === 200 && read.body.length === 0 && read.headers['content-type'] === 'text/plain';
}

/**
 * What a simulated device reads of the server's answers: 200 acknowledges a report, and is a command where it has a body
 * of plain text. Undefined while the answer is not whole.
 */
export function readHttpReply(buffer: Uint8Array): { bytes: number; message: ServerMessage } | undefined {
  const response = readHttpResponse(buffer);
  if (response === undefined) return undefined;
  const { bytes, status, headers, body } = response;
  if (status !== 200) return { bytes, message: { type: 'refused' } };
  if (body.length === 0 || headers['content-type'] !== 'text/plain')
    return { bytes, message: { type: 'acknowledged', reports: 1 } };
  return { bytes, message: { type: 'command', text: toLatin1(body), frame: buffer.slice(0, bytes) } };
}
