import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode, errorTable } from '../../../platform/errors.ts';
import type { AllowedAt } from './methods.ts';
import { PROBLEM_MEDIA_TYPE } from './problems.ts';

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Error of the HTTP parser, with the bytes it has read. */
interface Unreadable {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** reads the path of a request with an unknown method */
function readPath({ code, rawPacket }: Unreadable): string | undefined {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return undefined;
  return /^[A-Z]{1,32} (\/[^\s?]{0,2000})\S* HTTP\/1\.[01]\r\n/.exec(rawPacket.toString('latin1'))?.[1];
}

/** time for the client to read the response and close */
const LINGER_MS = 2_000;

/** Answers an invalid or oversized HTTP request with a problem and closes the connection. */
export function answerUnreadable(error: Unreadable, socket: Socket, allowedAt: AllowedAt): void {
  // before the TLS handshake is finished nothing can be written, and `end` would never complete
  if (error.code === 'ECONNRESET' || error.code?.startsWith('ERR_TLS') || !socket.writable) {
    socket.destroy();
    return;
  }
  const path = readPath(error);
  const allowed = path === undefined ? [] : allowedAt(path);
  const known = allowed.length > 0 ? 'method-not-allowed' : CODES[error.code ?? ''];
  const { code, status, message } = new AppError(known ?? 'malformed');
  const requestId = randomUUID();
  const { title } = errorTable[code];
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail: message,
    instance: path ?? '',
    code,
    requestId,
  });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
    ...(allowed.length > 0 ? [`allow: ${allowed.join(', ')}`] : []),
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const destroy = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(destroy));
}
