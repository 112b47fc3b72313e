import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../platform/errors.ts';

/** Writes a piece; a promise is to be waited for before the next. */
export type Write = (text: string) => Promise<void> | undefined;

const BUFFERED_BYTES = 262_144;

/** Aborts when the client leaves before it has its answer. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new AppError('unavailable', 'The client has left'));
  });
  return controller.signal;
}

/**
 * Answers piece by piece, as fast as the client takes them. What fails before the first piece is a problem as ever;
 * after it, the connection breaks off, so that nobody takes half an answer for a whole one.
 */
export async function streamAnswer(
  reply: FastifyReply,
  type: string,
  produce: (write: Write, signal: AbortSignal) => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  const out = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  const signal = clientSignal(reply);
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const write: Write = (text) => {
    begin();
    if (out.write(text)) return undefined;
    return new Promise((resolve) => {
      const go = (): void => {
        out.removeListener('drain', go).removeListener('close', go);
        resolve();
      };
      out.once('drain', go).once('close', go);
    });
  };
  let hasBegun = false;
  const done = produce(write, signal).then(
    () => void out.end(),
    (error: Error) => {
      if (!hasBegun) throw error;
      out.destroy(error);
    },
  );
  await Promise.race([begun, done]);
  hasBegun = true;
  done.catch((error: Error) => out.destroy(error));
  return reply.headers(headers).type(type).send(out);
}
