import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api.ts';
import type { newKey } from '../../bodies.ts';
import { useChange } from '../../parts/action.tsx';
import type { BodyOf } from '../../parts/body-form.ts';

const AFFECTED = ['keys'];

const readKeys = async () => (await answerOf(api.GET('/v1/keys'))).items;

export type ApiKey = Awaited<ReturnType<typeof readKeys>>[number];

/** API keys of the tenant. */
export function useKeys() {
  const list = useQuery({ queryKey: ['keys'], queryFn: readKeys });
  const [secret, setSecret] = useState<string>();
  const create = useChange(AFFECTED, async (body: BodyOf<typeof newKey>) => {
    setSecret(undefined);
    setSecret((await answerOf(api.POST('/v1/keys', { body }))).key);
    return undefined;
  });
  const revoke = useChange(AFFECTED, async (id: string) => {
    await answerOf(api.DELETE('/v1/keys/{id}', { params: { path: { id } } }));
    return undefined;
  });
  return {
    list,
    create,
    /** of the key that was created last: only its first answer has it */
    secret,
    revoke,
  };
}

export type Keys = ReturnType<typeof useKeys>;
