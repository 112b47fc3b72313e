import type { ReactNode } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { useSession } from '../../session.tsx';

export type Value = string | number | boolean;
export type Options = Readonly<Record<string, Value>>;

interface SaveOptions {
  /** Stores options of a form; `isOwn`: the form has a field for the option of this name. */
  readonly save: (isOwn: (name: string) => boolean, given: readonly (readonly [string, Value])[]) => Promise<void>;
  readonly isRunning: boolean;
  readonly result: ReactNode;
}

export function useSaveOptions(imei: string): SaveOptions {
  const { t } = useSession();
  const { run, isRunning, result } = useAction(['device', imei]);
  const save: SaveOptions['save'] = (isOwn, given) =>
    run(async () => {
      const params = { path: { imei } };
      // a change replaces all options: those without a field in the form stay as they are now
      const { options } = await answerOf(api.GET('/v1/devices/{imei}', { params }));
      const kept = Object.entries(options).filter(([name]) => !isOwn(name));
      const body = { options: Object.fromEntries([...kept, ...given]) };
      await answerOf(api.PATCH('/v1/devices/{imei}', { params, body }));
      return t('tank.saved');
    });
  return { save, isRunning, result };
}
