import { answerOf, api } from '../../api.ts';
import type { newUser } from '../../bodies.ts';
import { useChange } from '../../parts/action.tsx';
import type { BodyOf } from '../../parts/body-form.ts';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import type { Role } from './shared.tsx';

const PAGE = 100;

interface Filter {
  readonly q: string | undefined;
  readonly role: Role | undefined;
}

const readPage = ({ q, role }: Filter, cursor: Cursor) => {
  const query = { limit: PAGE, ...(q && { q }), ...(role && { role }), ...cursor };
  return answerOf(api.GET('/v1/users', { params: { query } }));
};

export type UserItem = Awaited<ReturnType<typeof readPage>>['items'][number];

/** Users of the tenant. */
export function useUsers(filter: Filter) {
  const { t } = useSession();
  const list = usePages(['users', filter.q, filter.role], (cursor) => readPage(filter, cursor));
  const create = useChange(['users'], async (body: BodyOf<typeof newUser>) => {
    await answerOf(api.POST('/v1/users', { body }));
    return t('admin.userCreated', { name: body.username });
  });
  return { list, items: list.data?.pages.flatMap(({ items }) => items), create };
}

export type Users = ReturnType<typeof useUsers>;
