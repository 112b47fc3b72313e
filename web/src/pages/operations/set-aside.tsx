import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Choice } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { usePages } from '../../parts/pages.ts';
import { ReadingProblem } from '../../parts/problem.tsx';
import { type Session, useSession } from '../../session.tsx';
import { useGateways } from './gateways.tsx';

const route = getRouteApi('/operations/set-aside');
const EVERY_MS = 10_000;
const AFFECTED = ['ops'];

type SetAside = Awaited<ReturnType<typeof readRecords>>['items'][number];

const readRecords = (query: { gateway?: string; imei?: string; cursor?: string }) =>
  answerOf(api.GET('/v1/set-aside-records', { params: { query: { limit: 100, ...query } } }));

const pathOf = ({ gateway, id }: Pick<SetAside, 'gateway' | 'id'>) => ({ path: { gateway, id } });

/** Kinds of events have the names of the interface. */
const whatOf = (t: Session['t'], what: string): string =>
  what === 'position' ? t('aside.position') : what === 'unknown' ? t('aside.unknown') : what;

/** Records that a target has rejected: inspect, send again, delete. */
export function SetAsidePage() {
  const { t } = useSession();
  const { gateway, imei, record } = route.useSearch();
  const navigate = useNavigate({ from: '/operations/set-aside' });
  const gateways = useGateways();
  const cut = gateways.data?.filter(
    (each) => each.setAside > each.listed && (gateway ?? each.gateway) === each.gateway,
  );
  return (
    <div className="page">
      <h1>{t('aside.title')}</h1>
      <p>{t('aside.intro')}</p>
      <div className="actions">
        <Choice
          label={t('gateway.gateway')}
          all={t('aside.all')}
          values={gateways.data?.map((each) => each.gateway) ?? []}
          value={gateway}
          onChange={(to) => void navigate({ search: { ...(to && { gateway: to }), ...(imei && { imei }) } })}
        />
        <input
          type="search"
          aria-label={t('aside.imei')}
          placeholder={t('aside.imei')}
          defaultValue={imei ?? ''}
          onChange={({ target: { value } }) =>
            void navigate({ search: { ...(gateway && { gateway }), ...(value && { imei: value }) }, replace: true })
          }
        />
        <Link to="/operations">{t('ops.title')}</Link>
      </div>
      {cut?.map((each) => (
        <p key={each.gateway} role="status">
          {t('aside.listed', { n: each.setAside, gateway: each.gateway, listed: each.listed })}
        </p>
      ))}
      <Records filter={{ ...(gateway && { gateway }), ...(imei && { imei }) }} chosen={record} />
    </div>
  );
}

function Records({ filter, chosen }: { filter: { gateway?: string; imei?: string }; chosen: string | undefined }) {
  const { t } = useSession();
  const navigate = useNavigate({ from: '/operations/set-aside' });
  const { run, isRunning, result } = useAction(AFFECTED);
  const [dropping, setDropping] = useState<SetAside>();
  const records = usePages(['ops', 'aside', filter], (cursor) => readRecords({ ...filter, ...cursor }), {
    // further pages are not read again and again
    refetchAfter: (pages) => pages.length <= 1 && EVERY_MS,
  });
  const items = records.data?.pages.flatMap((page) => page.items);
  const replay = (record: SetAside): Promise<void> =>
    run(async () => {
      const params = pathOf(record);
      const done = await answerOf(api.POST('/v1/gateways/{gateway}/set-aside-records/{id}/replay', { params }));
      return t(`aside.${done.outcome}`, { id: record.id, reason: `${done.code ?? ''} ${done.detail ?? ''}` });
    });
  const drop = (record: SetAside): Promise<void> => {
    setDropping(undefined);
    return run(async () => {
      const params = pathOf(record);
      const done = await answerOf(api.DELETE('/v1/gateways/{gateway}/set-aside-records/{id}', { params }));
      return t(`aside.${done.outcome}`, { id: record.id });
    });
  };
  const open = (record: SetAside | undefined): void =>
    void navigate({
      search: { ...filter, ...(record && { record: `${record.gateway}/${record.id}` }) },
      replace: true,
    });
  const shown = items?.find(({ gateway, id }) => `${gateway}/${id}` === chosen);
  const head = [t('aside.record'), t('aside.time'), t('aside.at'), t('aside.by'), t('aside.reason'), t('ops.action')];
  return (
    <section className="card" aria-label={t('aside.title')}>
      <div className="result">{result}</div>
      <Listing query={records} items={items} empty={t('aside.none')}>
        {(rows) => (
          <Table head={head}>
            {rows.map((record) => (
              <Fragment key={`${record.gateway}/${record.id}`}>
                <Row
                  record={record}
                  isOpen={record === shown}
                  isBusy={isRunning}
                  onOpen={() => open(record === shown ? undefined : record)}
                  onReplay={() => void replay(record)}
                  onDrop={() => setDropping(record)}
                />
                {record === shown && (
                  <tr>
                    <td colSpan={head.length}>
                      <Content record={record} onClose={() => open(undefined)} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))}
          </Table>
        )}
      </Listing>
      {dropping !== undefined && (
        <Confirm
          text={t('aside.confirmDrop', { id: dropping.id, gateway: dropping.gateway })}
          onYes={() => void drop(dropping)}
          onNo={() => setDropping(undefined)}
        />
      )}
    </section>
  );
}

interface RowProps {
  readonly record: SetAside;
  readonly isOpen: boolean;
  readonly isBusy: boolean;
  readonly onOpen: () => void;
  readonly onReplay: () => void;
  readonly onDrop: () => void;
}

function Row({ record, isOpen, isBusy, onOpen, onReplay, onDrop }: RowProps) {
  const { t, time, may } = useSession();
  const { id, gateway, target, what, imei, protocol, replaying, code, detail } = record;
  return (
    <tr>
      <td>
        <strong>{whatOf(t, what)}</strong> {imei ?? ''}{' '}
        {replaying && <span className="tag">{t('aside.replaying')}</span>}
        <div className="quiet">
          {gateway} · {id} {protocol !== null && `· ${protocol}`}
        </div>
      </td>
      <td>{record.time === null ? '' : time(record.time)}</td>
      <td>{time(record.at)}</td>
      <td>{target}</td>
      <td>
        {code}
        <div className="quiet">{detail}</div>
      </td>
      <td className="actions">
        <button type="button" aria-label={`${t('aside.open')} ${id}`} aria-expanded={isOpen} onClick={onOpen}>
          {t('aside.open')}
        </button>
        {may('ops:write') && (
          <>
            <button
              type="button"
              aria-label={`${t('aside.replay')} ${id}`}
              disabled={isBusy || replaying}
              onClick={onReplay}
            >
              {t('aside.replay')}
            </button>
            <button type="button" aria-label={`${t('aside.drop')} ${id}`} disabled={isBusy} onClick={onDrop}>
              {t('aside.drop')}
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

/** Read from the disk of the gateway when it is asked for. */
function Content({ record, onClose }: { record: SetAside; onClose: () => void }) {
  const { t } = useSession();
  const { gateway, id, size, at } = record;
  const content = useQuery({
    queryKey: ['aside-content', gateway, id, at],
    queryFn: () =>
      answerOf(api.GET('/v1/gateways/{gateway}/set-aside-records/{id}', { params: { path: { gateway, id } } })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section aria-label={t('aside.content', { id, gateway })}>
      <h2>{t('aside.content', { id, gateway })}</h2>
      <p className="quiet">{t('aside.bytes', { n: size })}</p>
      <ReadingProblem query={content} />
      {content.data !== undefined && (
        <pre>
          <code>{content.data.text ?? JSON.stringify(content.data.content, null, 2)}</code>
        </pre>
      )}
      <button type="button" onClick={onClose}>
        {t('aside.close')}
      </button>
    </section>
  );
}
