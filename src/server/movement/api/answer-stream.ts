import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/errors.ts';
import { timeSlices } from '../../../platform/time-slices.ts';

/** Writes a piece; a promise is to be waited for before the next. Throws when the client has left. */
export type Write = (text: string) => Promise<void> | undefined;

const BUFFERED_BYTES = 262_144;
const PIECE_CHARACTERS = 16_384;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Aborts when the client leaves before it has its answer. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new AppError('unavailable', 'The client has left'));
  });
  return controller.signal;
}

/**
 * Answers piece by piece, as fast as the client takes them, and lets other requests run in between. What fails before
 * the first piece is a problem as ever; after it, the connection breaks off, so that no client takes half an answer for a
 * whole one.
 */
export async function streamAnswer(
  reply: FastifyReply,
  type: string,
  produce: (write: Write, signal: AbortSignal) => Promise<void>,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const out = new PassThrough({ highWaterMark: BUFFERED_BYTES });
  const signal = clientSignal(reply);
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const write: Write = (text) => {
    signal.throwIfAborted();
    if (text === '') return undefined;
    begin();
    if (!out.write(text)) return drained(out);
    return timeSlices.isOver() ? timeSlices.wait() : undefined;
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
  await reply.headers(headers).type(type).send(out);
}

const drained = (out: PassThrough): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      out.removeListener('drain', go).removeListener('close', go);
      resolve();
    };
    out.once('drain', go).once('close', go);
  });

/** What a list is made of, one after the other: no list of the made ones is kept. */
export function* each<T, R>(items: Iterable<T>, make: (item: T) => R): Iterable<R> {
  for (const item of items) yield make(item);
}

type Member = unknown | Iterable<unknown>;

/** An object as JSON; iterables in pieces, as lists. Members that are undefined are left out. */
export async function writeObject(write: Write, members: Readonly<Record<string, Member>>): Promise<void> {
  let text = '{';
  let separator = '';
  for (const [name, member] of Object.entries(members)) {
    if (member === undefined) continue;
    text += `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isList(member)) text += JSON.stringify(member);
    else {
      await write(`${text}[`);
      await writeItems(write, member);
      text = ']';
    }
  }
  await write(`${text}}`);
}

const isList = (member: Member): member is Iterable<unknown> =>
  typeof member === 'object' && member !== null && Symbol.iterator in member;

async function writeItems(write: Write, items: Iterable<unknown>): Promise<void> {
  let text = '';
  let separator = '';
  for (const item of items) {
    text += separator + JSON.stringify(item);
    separator = ',';
    if (text.length < PIECE_CHARACTERS) continue;
    await write(text);
    text = '';
  }
  await write(text);
}
