import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api } from '../../api.ts';
import { useChange } from '../../parts/action.tsx';
import { reload } from '../../parts/live.ts';
import { usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';

const PAGE = 50;
const MAX_REASONS = 500;
const WHOLE_IMEI = /^\d{4,17}$/;

/** Reads commands again when the event stream reports a change. */
export function useCommandEvents(): void {
  const { fleet } = useSession();
  const queries = useQueryClient();
  useEffect(
    () =>
      fleet.onEvent(({ type }) => {
        if (type === 'command' || type === 'session' || type === 'gap') void reload(queries, ['commands']);
      }),
    [fleet, queries],
  );
}

/** Why commands wait, by their id. */
export function useReasons(imei: string | undefined) {
  return useQuery({
    queryKey: ['commands', 'reasons', imei],
    queryFn: async () => {
      const { explain } =
        imei === undefined
          ? await answerOf(api.GET('/v1/gprsCommands/pending', { params: { query: { limit: MAX_REASONS } } }))
          : await answerOf(api.GET('/v1/gprsCommands/pending/{imei}', { params: { path: { imei } } }));
      return new Map(explain.map(({ commandId, reason }) => [commandId, reason]));
    },
    retry: false,
  });
}

interface Filter {
  readonly imei?: string | undefined;
  readonly status?: string | undefined;
  readonly batch?: string | undefined;
}

/** Commands of all devices or of one, with the reasons why they wait. */
export function useCommands({ imei, status, batch }: Filter) {
  useCommandEvents();
  // the list is read when the id is complete
  const isWhole = imei === undefined || WHOLE_IMEI.test(imei);
  const reasons = useReasons(isWhole ? imei : undefined);
  const list = usePages(
    ['commands', 'list', imei, status, batch],
    (cursor) => {
      const filter = { ...(imei && { imei }), ...(status && { status }), ...(batch && { batchId: batch }) };
      return answerOf(api.GET('/v1/gprsCommands/', { params: { query: { limit: PAGE, ...filter, ...cursor } } }));
    },
    { isEnabled: isWhole },
  );
  return {
    list,
    items: list.data?.pages.flatMap(({ items }) => items),
    reasons: reasons.data,
    /** undefined until the id is complete */
    device: isWhole ? imei : undefined,
  };
}

export type Commands = ReturnType<typeof useCommands>;

/** Cancels all open commands of a device. */
export function useFlush() {
  const { t } = useSession();
  return useChange(['commands'], async (target: string) => {
    const answer = await answerOf(api.DELETE('/v1/gprsCommands/{target}/reset', { params: { path: { target } } }));
    return t('command.cancelled', { n: answer.cancelled, skipped: answer.skippedInFlight });
  });
}
