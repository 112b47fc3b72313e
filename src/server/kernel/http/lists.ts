import { createHash, createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../platform/errors.ts';
import { member } from './members.ts';

/** Query of every list. */
export const page = {
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(1_000).optional().describe('nextCursor of the page before'),
};

/** Answer of every list. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: member.nextCursor });

type Place = readonly (string | number)[];

export interface Cursors {
  /** Encodes a position in a list as an opaque cursor, valid only with the same filter. */
  write(place: Place, filter: unknown): string;
  /** Throws AppError `bad-cursor` if it was changed or belongs to another filter. */
  read(cursor: string, filter: unknown): Place;
}

/** Cursors are signed with the first key, and accepted with any of them. */
export function createCursors(keys: readonly [KeyObject, ...KeyObject[]]): Cursors {
  const hashOf = (filter: unknown): string =>
    createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 12);
  const sign = (text: string, key: KeyObject = keys[0]): Buffer =>
    createHmac('sha256', key).update(text).digest().subarray(0, 16);
  return {
    write(place, filter) {
      const text = JSON.stringify({ k: place, f: hashOf(filter) });
      return Buffer.concat([sign(text), Buffer.from(text)]).toString('base64url');
    },
    read(cursor, filter) {
      const bytes = Buffer.from(cursor, 'base64url');
      const text = bytes.subarray(16).toString();
      const isOurs = (key: KeyObject): boolean => timingSafeEqual(bytes.subarray(0, 16), sign(text, key));
      if (bytes.length < 17 || !keys.some(isOurs)) throw new AppError('bad-cursor');
      const { k, f } = JSON.parse(text) as { k: Place; f: string };
      if (f !== hashOf(filter)) throw new AppError('bad-cursor', 'The cursor belongs to another filter');
      return k;
    },
  };
}

/** Makes a page from `limit + 1` rows; the additional row shows whether there is a next page. */
export function toPage<R, T>(
  rows: readonly R[],
  limit: number,
  present: (row: R) => T,
  cursorAfter: (row: R) => string,
): { items: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(present),
    nextCursor: rows.length > limit && last !== undefined ? cursorAfter(last) : null,
  };
}
