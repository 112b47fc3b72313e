import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import type { userChange } from '../../bodies.ts';
import { useAction } from '../../parts/action.tsx';
import type { BodyOf } from '../../parts/body-form.ts';
import { useSession } from '../../session.tsx';

export type User = paths['/v1/users/{user_id}']['get']['responses']['200']['content']['application/json'];

/** One user, and what an administrator changes of it. The changes show their results in one place. */
export function useUser(id: string) {
  const { t } = useSession();
  const navigate = useNavigate();
  const { run, isRunning, result } = useAction(['users']);
  const params = { path: { user_id: id } };
  const record = useQuery({
    queryKey: ['users', 'one', id],
    queryFn: () => answerOf(api.GET('/v1/users/{user_id}', { params })),
  });
  const save = (body: BodyOf<typeof userChange>): Promise<void> =>
    run(async () => {
      await answerOf(api.PATCH('/v1/users/{user_id}', { params, body }));
      return t('admin.saved');
    });
  const endOtp = (): Promise<void> =>
    run(async () => {
      await answerOf(api.DELETE('/v1/users/{user_id}/otp', { params }));
      return t('admin.otpEnded');
    });
  const remove = (): Promise<void> =>
    run(async () => {
      await answerOf(api.DELETE('/v1/users/{user_id}', { params }));
      await navigate({ to: '/admin/users' });
      return undefined;
    });
  return { record, save, endOtp, remove, isRunning, result };
}

export type UserActions = Omit<ReturnType<typeof useUser>, 'record'>;
