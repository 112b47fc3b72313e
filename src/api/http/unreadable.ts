import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { AppError, type ErrorCode, errorTable } from '../../platform/errors.ts';
import { PROBLEM_MEDIA_TYPE } from './problems.ts';

const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** Answers what is no HTTP request, or one too long to be read, with a problem, and hangs up. */
export function answerUnreadable(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, status, message } = new AppError(CODES[error.code ?? ''] ?? 'malformed');
  const requestId = randomUUID();
  const { title } = errorTable[code];
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title,
    status,
    detail: message,
    instance: '',
    code,
    requestId,
  });
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
