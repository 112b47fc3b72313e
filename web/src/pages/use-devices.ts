import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api } from '../api.ts';
import type { DEVICE_STATES } from '../lists.ts';
import { useChange } from '../parts/action.tsx';
import { reload } from '../parts/live.ts';
import { type Cursor, usePages } from '../parts/pages.ts';
import { useSession } from '../session.tsx';

const PAGE = 100;
/** many devices may connect in a second */
const TOGETHER_MS = 1_000;

type State = (typeof DEVICE_STATES)[number];

const readPage = (state: State | undefined, cursor: Cursor) => {
  const query = { limit: PAGE, ...(state && { state }), ...cursor };
  return answerOf(api.GET('/v1/devices', { params: { query } }));
};

export type DeviceItem = Awaited<ReturnType<typeof readPage>>['items'][number];

/** Devices, read again when the event stream reports sessions. */
export function useDevices(state: State | undefined) {
  const { t, fleet } = useSession();
  const queries = useQueryClient();
  const list = usePages(['devices', state], (cursor) => readPage(state, cursor));
  useEffect(() => {
    let timer: number | undefined;
    const end = fleet.onEvent(({ type }) => {
      if (type !== 'session' && type !== 'gap') return;
      timer ??= window.setTimeout(() => {
        timer = undefined;
        void reload(queries, ['devices']);
      }, TOGETHER_MS);
    });
    return () => {
      end();
      window.clearTimeout(timer);
    };
  }, [fleet, queries]);
  const register = useChange(['devices'], async (imei: string) => {
    await answerOf(api.POST('/v1/devices', { body: { imei } }));
    return t('device.registered', { imei });
  });
  return { list, items: list.data?.pages.flatMap(({ items }) => items), register };
}

export type Devices = ReturnType<typeof useDevices>;
