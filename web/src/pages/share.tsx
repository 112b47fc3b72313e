import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { paths } from '../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../api.ts';
import { useAction } from '../parts/action.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Listing, Table } from '../parts/listing.tsx';
import { usePages } from '../parts/pages.ts';
import { Problem } from '../parts/problem.tsx';
import { useSession } from '../session.tsx';

const route = getRouteApi('/share');
type Link = paths['/v1/share-links']['get']['responses']['200']['content']['application/json']['items'][number];

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const HOURS = [4, 24, 72, 168] as const;
const PRECISIONS = [0, 100, 1_000, 5_000, 10_000] as const;
const PAGE = 50;

/** Links by which anybody sees a vehicle. */
export function SharePage() {
  const { t, may } = useSession();
  const { targa } = route.useSearch();
  const list = usePages(['share-links'], (cursor) => {
    const query = { limit: PAGE, ...cursor };
    return answerOf(api.GET('/v1/share-links', { params: { query } }));
  });
  return (
    <div className="page">
      <h1>{t('share.title')}</h1>
      {may('vehicles:write') && <NewLink targa={targa} />}
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('share.none')}>
        {(links) => <LinkTable links={links} />}
      </Listing>
    </div>
  );
}

function usePrecision(): (meters: number) => string {
  const { t, number } = useSession();
  return (meters) => (meters === 0 ? t('share.exact') : t('share.about', { km: number(meters / 1_000, 1) }));
}

function NewLink({ targa }: { targa: string | undefined }) {
  const { t } = useSession();
  const queries = useQueryClient();
  const precision = usePrecision();
  const [made, setMade] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [isCopied, setCopied] = useState(false);
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string): string => String(fields.get(name) ?? '').trim();
    const now = Date.now();
    setMade(undefined);
    setProblem(undefined);
    setCopied(false);
    try {
      const { path } = await answerOf(
        api.POST('/v1/share-links', {
          body: {
            targa: text('targa'),
            until: now + Number(text('hours')) * HOUR_MS,
            precisionM: PRECISIONS.find((each) => String(each) === text('precision')) ?? 0,
            ...(text('label') !== '' && { label: text('label') }),
            ...(text('what') === 'day' && { from: now - DAY_HOURS * HOUR_MS, to: now }),
          },
        }),
      );
      setMade(`${window.location.origin}${path}`);
      await queries.invalidateQueries({ queryKey: ['share-links'] });
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <form className="card send" aria-label={t('share.new')} onSubmit={(event) => void create(event)}>
      <label>
        {t('share.vehicle')}
        <input name="targa" required defaultValue={targa ?? ''} autoComplete="off" />
      </label>
      <label>
        {t('share.label')}
        <input name="label" maxLength={200} autoComplete="off" />
      </label>
      <label>
        {t('share.what')}
        <select name="what" defaultValue="now">
          <option value="now">{t('share.live')}</option>
          <option value="day">{t('share.lastDay')}</option>
        </select>
      </label>
      <label>
        {t('share.until')}
        <select name="hours" defaultValue="24">
          {HOURS.map((hours) => (
            <option key={hours} value={hours}>
              {hours > DAY_HOURS ? t('share.days', { n: hours / DAY_HOURS }) : t('share.hours', { n: hours })}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('share.precision')}
        <select name="precision" defaultValue="0">
          {PRECISIONS.map((meters) => (
            <option key={meters} value={meters}>
              {precision(meters)}
            </option>
          ))}
        </select>
      </label>
      <button type="submit" className="primary">
        {t('share.create')}
      </button>
      {problem !== undefined && <Problem error={problem} />}
      {made !== undefined && (
        <p role="status">
          {t('share.created')}{' '}
          <a href={made} target="_blank" rel="noreferrer">
            {made}
          </a>{' '}
          <button type="button" onClick={() => void navigator.clipboard.writeText(made).then(() => setCopied(true))}>
            {t('share.copy')}
          </button>
          {isCopied && ` ${t('share.copied')}`}
        </p>
      )}
    </form>
  );
}

function LinkTable({ links }: { links: readonly Link[] }) {
  const { t, time, may } = useSession();
  const precision = usePrecision();
  const { run, result } = useAction(['share-links']);
  const [asked, setAsked] = useState<Link>();
  const revoke = ({ id }: Link): Promise<void> => {
    setAsked(undefined);
    return run(async () => {
      await answerOf(api.DELETE('/v1/share-links/{id}', { params: { path: { id } } }));
      return undefined;
    });
  };
  const columns = [
    'vehicle',
    'what',
    'precision',
    'state',
    'ends',
    'opened',
    ...(may('vehicles:write') ? ['revoke' as const] : []),
  ] as const;
  return (
    <>
      {result}
      <Table head={columns.map((each) => t(`share.${each}`))}>
        {links.map((link) => (
          <tr key={link.id}>
            <td>{link.label === null ? link.targa : `${link.targa} (${link.label})`}</td>
            <td>
              {link.from === null ? t('share.live') : t('share.interval', { from: time(link.from), to: time(link.to) })}
            </td>
            <td>{precision(link.precisionM)}</td>
            <td>{t(`share.${link.state}`)}</td>
            <td>{time(link.expiresAt)}</td>
            <td title={time(link.openedAt)}>{link.opened}</td>
            {may('vehicles:write') && (
              <td>
                {link.state === 'open' && (
                  <button
                    type="button"
                    aria-label={`${t('share.revoke')}: ${link.label ?? link.targa}`}
                    onClick={() => setAsked(link)}
                  >
                    {t('share.revoke')}
                  </button>
                )}
              </td>
            )}
          </tr>
        ))}
      </Table>
      {asked !== undefined && (
        <Confirm
          text={t('share.confirmRevoke', { targa: asked.targa })}
          onYes={() => void revoke(asked)}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
