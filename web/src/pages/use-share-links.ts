import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import type { shareLink } from '../bodies.ts';
import { useChange } from '../parts/action.tsx';
import type { BodyOf } from '../parts/body-form.ts';
import { type Cursor, usePages } from '../parts/pages.ts';

const PAGE = 50;
const AFFECTED = ['share-links'];

const readPage = (cursor: Cursor) =>
  answerOf(api.GET('/v1/share-links', { params: { query: { limit: PAGE, ...cursor } } }));

export type ShareLink = Awaited<ReturnType<typeof readPage>>['items'][number];

/** Links by which anybody sees a vehicle. */
export function useShareLinks() {
  const list = usePages(AFFECTED, readPage);
  const [url, setUrl] = useState<string>();
  const create = useChange(AFFECTED, async (body: BodyOf<typeof shareLink>) => {
    setUrl(undefined);
    const { path } = await answerOf(api.POST('/v1/share-links', { body }));
    setUrl(`${window.location.origin}${path}`);
    return undefined;
  });
  const revoke = useChange(AFFECTED, async (id: string) => {
    await answerOf(api.DELETE('/v1/share-links/{id}', { params: { path: { id } } }));
    return undefined;
  });
  return {
    list,
    items: list.data?.pages.flatMap(({ items }) => items),
    create,
    /** of the link that was created last: only its first answer has it */
    url,
    revoke,
  };
}

export type ShareLinks = ReturnType<typeof useShareLinks>;
