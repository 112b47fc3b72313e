import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api } from '../../api.ts';
import type { PRIORITIES } from '../../lists.ts';
import { useChange } from '../../parts/action.tsx';
import { reload } from '../../parts/live.ts';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';

const PAGE = 50;

type Severity = (typeof PRIORITIES)[number];

const readPage = (severity: Severity | undefined, cursor: Cursor) =>
  answerOf(
    api.GET('/v1/app/alert', {
      params: { query: { limit: PAGE, ...(severity && { severity }), ...cursor } },
    }),
  );

export type Alert = Awaited<ReturnType<typeof readPage>>['items'][number];

/** Alarms of the user from a severity on, newest first. `onAlarm` is called when one arrives. */
export function useAlarms(severity: Severity | undefined, onAlarm: () => void) {
  const { fleet } = useSession();
  const queries = useQueryClient();
  const list = usePages(['alarms', severity], (cursor) => readPage(severity, cursor));
  useEffect(
    () =>
      fleet.onEvent(({ type }) => {
        // after a gap of the stream alarms may have been missed
        if (type !== 'notification' && type !== 'gap') return;
        if (type === 'notification') onAlarm();
        void reload(queries, ['alarms']);
      }),
    [fleet, queries, onAlarm],
  );
  const acknowledge = useChange(['alarms'], async (alerts: readonly Alert[]) => {
    for (const { id } of alerts) await answerOf(api.POST('/v1/app/alert/{id}/ack', { params: { path: { id } } }));
    return undefined;
  });
  return { list, items: list.data?.pages.flatMap(({ items }) => items) ?? [], acknowledge };
}
