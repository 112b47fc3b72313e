import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { AdminPage } from './shared.tsx';

const route = getRouteApi('/admin/audit');
const PAGE = 100;
const FIELDS = ['actor', 'action', 'object'] as const;

/** Who did what on a day, with what was there before and after. */
export function AuditPage() {
  const { t, time, zone } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/admin/audit' });
  const day = search.day ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());
  const change = (more: Partial<Record<(typeof FIELDS)[number] | 'day', string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const chain = useQuery({
    queryKey: ['audit', 'chain'],
    queryFn: () => answerOf(api.GET('/v1/audit/chain')),
    retry: false,
  });
  const list = usePages(['audit', day, search.actor, search.action, search.object], (cursor) => {
    const wanted = Object.fromEntries(FIELDS.flatMap((each) => (search[each] ? [[each, search[each]]] : [])));
    const query = { from: day, to: day, limit: PAGE, ...wanted, ...cursor };
    return answerOf(api.GET('/v1/audit', { params: { query } }));
  });
  return (
    <AdminPage title={t('admin.audit')}>
      {chain.data !== undefined && (
        <p className="actions">
          {t('ops.chain')}:
          <span className={`tag ${chain.data.intact ? 'good' : 'bad'}`}>
            {chain.data.intact ? t('ops.chainOk') : t('ops.chainBroken')}
          </span>
          <span className="quiet">{t('admin.blocks', { n: chain.data.blocks })}</span>
        </p>
      )}
      <Filters>
        <input
          type="date"
          aria-label={t('vehicle.day')}
          value={day}
          onChange={(event) => event.target.value !== '' && change({ day: event.target.value })}
        />
        {FIELDS.map((each) => (
          <input
            key={each}
            type="search"
            aria-label={t(`ops.${each}`)}
            placeholder={t(`ops.${each}`)}
            value={search[each] ?? ''}
            onChange={(event) => change({ [each]: event.target.value || undefined })}
          />
        ))}
      </Filters>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('admin.noAudit')}>
        {(entries) => (
          <Table
            head={[
              t('alarm.when'),
              t('ops.actor'),
              t('ops.action'),
              t('ops.object'),
              t('admin.before'),
              t('admin.sealed'),
            ]}
          >
            {entries.map(({ id, at, actor, ip, action, object, before, after, sealed }) => (
              <tr key={id}>
                <td>{time(at)}</td>
                <td>
                  {actor} <div className="quiet">{ip}</div>
                </td>
                <td>
                  <code>{action}</code>
                </td>
                <td>{object ?? t('vehicle.none')}</td>
                <td>
                  {(before !== null || after !== null) && (
                    <details>
                      <summary>{t('admin.show')}</summary>
                      <pre>{JSON.stringify({ before, after }, undefined, 1)}</pre>
                    </details>
                  )}
                </td>
                <td>{sealed ? '✓' : t('admin.notYet')}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </AdminPage>
  );
}
