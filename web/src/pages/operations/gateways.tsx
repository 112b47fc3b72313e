import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { Listing, Table } from '../../parts/listing.tsx';
import { useSession } from '../../session.tsx';

const EVERY_MS = 10_000;

/** All gateways of the installation; there are few. */
export const useGateways = () =>
  useQuery({
    queryKey: ['ops', 'gateways'],
    queryFn: async () => (await answerOf(api.GET('/v1/gateways', { params: { query: { limit: 500 } } }))).items,
    refetchInterval: EVERY_MS,
  });

export function Gateways() {
  const { t, time } = useSession();
  const gateways = useGateways();
  return (
    <section className="card" aria-label={t('gateway.title')}>
      <h2>{t('gateway.title')}</h2>
      <Listing query={gateways} items={gateways.data} empty={t('gateway.none')}>
        {(items) => (
          <Table
            head={[
              t('gateway.gateway'),
              t('ops.state'),
              t('gateway.lastSeen'),
              t('gateway.waiting'),
              t('gateway.setAside'),
            ]}
          >
            {items.map(({ gateway, connected, lastSeenAt, waiting, setAside }) => (
              <tr key={gateway}>
                <td>{gateway}</td>
                <td>
                  <span className={`tag ${connected ? 'good' : 'bad'}`}>
                    {connected ? t('gateway.connected') : t('gateway.away')}
                  </span>
                </td>
                <td>{time(lastSeenAt)}</td>
                <td>{waiting ?? '–'}</td>
                <td>
                  <Link to="/operations/set-aside" search={{ gateway }}>
                    {setAside}
                  </Link>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}
