import type { FastifyRequest } from 'fastify';
import { flagOf, integerOf, integersOf, valuesOf } from './request.ts';

/** Query parameters of lists of Traccar. Numbers default to 0. `refresh` has no effect, since nothing is cached. */
export interface ListQuery {
  /** all that the caller sees */
  readonly all: boolean;
  readonly userId: number;
  readonly deviceId: number;
  readonly groupId: number;
  readonly ids: readonly number[];
  readonly uniqueIds: readonly string[];
  readonly excludeAttributes: boolean;
  readonly keyword: string;
  readonly offset: number;
  /** 0: no limit */
  readonly limit: number;
}

/** Throws AppError `invalid`. */
export function listQueryOf(request: FastifyRequest): ListQuery {
  flagOf(request, 'refresh');
  return {
    all: flagOf(request, 'all'),
    userId: integerOf(request, 'userId'),
    deviceId: integerOf(request, 'deviceId'),
    groupId: integerOf(request, 'groupId'),
    ids: integersOf(request, 'id'),
    uniqueIds: valuesOf(request, 'uniqueId'),
    excludeAttributes: flagOf(request, 'excludeAttributes'),
    keyword: valuesOf(request, 'keyword')[0] ?? '',
    offset: integerOf(request, 'offset'),
    limit: integerOf(request, 'limit'),
  };
}

type Listed = Readonly<{ id: number; [name: string]: unknown }>;

/** A page of those with the keyword, in the order of the first of these members, as Traccar lists them. */
export function pageOf<T extends Listed>(records: readonly T[], searched: readonly string[], query: ListQuery): T[] {
  const { keyword, offset, limit, excludeAttributes } = query;
  const word = keyword.toLowerCase();
  const textOf = (record: Listed, name: string | undefined): string => String(record[name ?? ''] ?? '');
  const found = records
    .filter((record) => searched.some((name) => textOf(record, name).toLowerCase().includes(word)))
    .sort((a, b) => textOf(a, searched[0]).localeCompare(textOf(b, searched[0]), 'en') || a.id - b.id);
  const page = limit > 0 ? found.slice(offset, offset + limit) : found.slice(offset);
  // the server of Traccar returns an empty map in this case
  return excludeAttributes ? page.map((record) => ({ ...record, attributes: {} })) : page;
}
