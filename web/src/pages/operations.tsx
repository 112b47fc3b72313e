import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../api.ts';
import { useAction } from '../parts/action.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Listing, Table } from '../parts/listing.tsx';
import { ReadingProblem } from '../parts/problem.tsx';
import { useSession } from '../session.tsx';
import { Gateways } from './operations/gateways.tsx';
import { Summary } from './operations/summary.tsx';

const route = getRouteApi('/operations');
const EVERY_MS = 10_000;

type Stream = Awaited<ReturnType<typeof readStreams>>[number];

const readStreams = async () => (await answerOf(api.GET('/v1/streams', { params: { query: { limit: 100 } } }))).items;

export function OperationsPage() {
  const { t, may } = useSession();
  return (
    <div className="page">
      <h1>{t('ops.title')}</h1>
      <Health />
      {may('ops') && <Summary />}
      {may('ops') && <Gateways />}
      {may('streams:write') && <Streams />}
    </div>
  );
}

function Health() {
  const { t, may } = useSession();
  const ready = useQuery({
    queryKey: ['ops', 'ready'],
    queryFn: async () => (await fetch('/readyz')).ok,
    refetchInterval: EVERY_MS,
  });
  const chain = useQuery({
    queryKey: ['ops', 'chain'],
    queryFn: () => answerOf(api.GET('/v1/audit/chain')),
    enabled: may('users:read'),
    retry: false,
  });
  // an answer of before says nothing once there is none
  const isReady = ready.data === true && !ready.isError;
  return (
    <section className="card" aria-label={t('ops.health')}>
      <h2>{t('ops.health')}</h2>
      <div className="actions">
        <span>API:</span>
        <span className={`tag ${isReady ? 'good' : 'bad'}`} role="status">
          {isReady ? t('ops.ready') : t('ops.notReady')}
        </span>
        {chain.data !== undefined && (
          <>
            <span>{t('ops.chain')}:</span>
            <span className={`tag ${chain.data.intact ? 'good' : 'bad'}`}>
              {chain.data.intact ? t('ops.chainOk') : t('ops.chainBroken')}
            </span>
          </>
        )}
        {may('ops') && <a href="/console/overview">{t('ops.server')}</a>}
      </div>
    </section>
  );
}

function Streams() {
  const { t, duration } = useSession();
  const { stream: chosen } = route.useSearch();
  const navigate = useNavigate({ from: '/operations' });
  const { run: act, result } = useAction(['ops']);
  const streams = useQuery({ queryKey: ['ops', 'streams'], queryFn: readStreams, refetchInterval: EVERY_MS });
  const change = (id: string, to: 'pause' | 'resume'): Promise<void> =>
    act(async () => {
      const params = { path: { id } };
      if (to === 'pause') await answerOf(api.POST('/v1/streams/{id}/pause', { params }));
      else await answerOf(api.POST('/v1/streams/{id}/resume', { params }));
      return undefined;
    });
  const test = (id: string): Promise<void> =>
    act(async () => {
      const { delivered, detail } = await answerOf(api.POST('/v1/streams/{id}/test', { params: { path: { id } } }));
      if (!delivered) throw new Error(detail ?? t('ops.notReady'));
      return t('ops.sent');
    });
  const open = streams.data?.find(({ id }) => id === chosen);
  return (
    <section className="card" aria-label={t('ops.streams')}>
      <h2>{t('ops.streams')}</h2>
      <Listing query={streams} items={streams.data} empty={t('ops.noStreams')}>
        {(items) => (
          <Table
            head={[t('ops.name'), t('ops.kind'), t('ops.state'), t('ops.lag'), t('ops.deadLetters'), t('ops.action')]}
          >
            {items.map(({ id, name, type, url, state, problem, lagSeconds, failed }) => (
              <tr key={id}>
                <td>
                  <strong>{name}</strong>
                  <div className="quiet">{url}</div>
                </td>
                <td>{type}</td>
                <td>
                  <span className={`tag ${problem === null ? 'good' : 'bad'}`}>{t(`streamState.${state}`)}</span>
                  {problem !== null && <div className="quiet">{problem}</div>}
                </td>
                <td>{duration(lagSeconds)}</td>
                <td>{failed}</td>
                <td className="actions">
                  <button
                    type="button"
                    aria-label={`${t(state === 'paused' ? 'ops.resume' : 'ops.pause')}: ${name}`}
                    onClick={() => void change(id, state === 'paused' ? 'resume' : 'pause')}
                  >
                    {state === 'paused' ? t('ops.resume') : t('ops.pause')}
                  </button>
                  <button type="button" aria-label={`${t('ops.test')}: ${name}`} onClick={() => void test(id)}>
                    {t('ops.test')}
                  </button>
                  <button
                    type="button"
                    aria-pressed={id === chosen}
                    aria-label={`${t('ops.deadLetters')}: ${name}`}
                    onClick={() => void navigate({ search: id === chosen ? {} : { stream: id }, replace: true })}
                  >
                    {t('ops.deadLetters')}
                  </button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
      {result}
      {open !== undefined && <DeadLetters key={open.id} stream={open} act={act} />}
    </section>
  );
}

function DeadLetters({
  stream: { id, name },
  act,
}: {
  stream: Stream;
  act: (run: () => Promise<string | undefined>) => Promise<void>;
}) {
  const { t, time } = useSession();
  const [isAsking, setAsking] = useState(false);
  const letters = useQuery({
    queryKey: ['ops', 'dead', id],
    queryFn: async () => {
      const params = { path: { id }, query: { limit: 100 } };
      return (await answerOf(api.GET('/v1/streams/{id}/dead-letters', { params }))).items;
    },
  });
  const replay = (): Promise<void> => {
    setAsking(false);
    return act(async () => {
      const { count } = await answerOf(api.POST('/v1/streams/{id}/dead-letters/replay', { params: { path: { id } } }));
      return t('ops.replayed', { n: count });
    });
  };
  return (
    <>
      <h2>{t('ops.showDead', { name })}</h2>
      <ReadingProblem query={letters} />
      {letters.data?.length === 0 && <p>{t('ops.noDead')}</p>}
      {letters.data !== undefined && letters.data.length > 0 && (
        <>
          <ul>
            {letters.data.map((letter) => (
              <li key={letter.id}>
                <details>
                  <summary>
                    {time(letter.rejectedAt)} · {letter.kind} {letter.imei ?? ''} · {letter.reason}
                  </summary>
                  <pre>
                    <code>{JSON.stringify(letter.event, null, 2)}</code>
                  </pre>
                </details>
              </li>
            ))}
          </ul>
          <button type="button" onClick={() => setAsking(true)}>
            {t('ops.replay')}
          </button>
        </>
      )}
      {isAsking && (
        <Confirm text={t('ops.confirmReplay', { name })} onYes={() => void replay()} onNo={() => setAsking(false)} />
      )}
    </>
  );
}
