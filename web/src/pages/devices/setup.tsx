import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api.ts';
import { Filters, SearchField } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { Loaded } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { useProtocol } from '../device/options.tsx';

const route = getRouteApi('/devices/setup');

/** What is written into a device so that it connects to this server. */
export function SetupPage() {
  const { t } = useSession();
  const { q, protocol } = route.useSearch();
  const navigate = useNavigate({ from: '/devices/setup' });
  const list = useQuery({
    queryKey: ['protocols'],
    queryFn: async () => (await answerOf(api.GET('/v1/protocols'))).items,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const wanted = (q ?? '').toLowerCase();
  const found = list.data?.filter(({ id, title, vendor, models }) =>
    [id, title, vendor, ...models].some((each) => each.toLowerCase().includes(wanted)),
  );
  return (
    <div className="page">
      <h1>{t('device.setup')}</h1>
      <p>
        <Link to="/devices">{t('device.title')}</Link>
      </p>
      {protocol !== undefined && <Setup id={protocol} />}
      <Filters>
        <SearchField
          label={t('setup.protocol')}
          value={q}
          onChange={(next) => void navigate({ search: next === undefined ? {} : { q: next }, replace: true })}
        />
      </Filters>
      {found !== undefined && <p role="status">{t('setup.choose', { n: found.length })}</p>}
      <Listing query={list} items={found} empty={t('device.none')}>
        {(items) => (
          <Table head={[t('device.protocol'), t('setup.models')]}>
            {items.map(({ id, title, models }) => (
              <tr key={id}>
                <td>
                  <Link to="/devices/setup" search={{ ...(q && { q }), protocol: id }}>
                    {title}
                  </Link>{' '}
                  <code className="quiet">{id}</code>
                </td>
                <td>{models.join(', ')}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </div>
  );
}

function Setup({ id }: { id: string }) {
  const { t } = useSession();
  const known = useProtocol(id);
  return (
    <Loaded query={known} waiting={<p>{t('loading')}</p>}>
      {(protocol) => <Instructions protocol={protocol} />}
    </Loaded>
  );
}

function Instructions({ protocol }: { readonly protocol: NonNullable<ReturnType<typeof useProtocol>['data']> }) {
  const { t } = useSession();
  const { title, service, transports, port, setup, options } = protocol;
  const host = protocol.host ?? window.location.hostname;
  const filled = (text: string): string =>
    text.replaceAll('{host}', host).replaceAll('{port}', port === null ? '{port}' : String(port));
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      <dl>
        <dt>{t('setup.host')}</dt>
        <dd>
          {host} <span className="quiet">{t('setup.hostHelp')}</span>
        </dd>
        <dt>{t('setup.port')}</dt>
        <dd>{port ?? t('setup.noPort', { service: service.toUpperCase() })}</dd>
        <dt>{t('setup.transports')}</dt>
        <dd>{transports.join(', ').toUpperCase()}</dd>
      </dl>
      <h3>{t('setup.instructions')}</h3>
      <ol>
        {setup.map((line) => (
          <li key={line}>
            <code className="answer">{filled(line)}</code>
          </li>
        ))}
      </ol>
      <h3>{t('options.title')}</h3>
      {options.length === 0 ? (
        <p>{t('options.none')}</p>
      ) : (
        <ul>
          {options.map(({ name, title: meaning, default: usual }) => (
            <li key={name}>
              <code>{name}</code>: {meaning}{' '}
              {usual !== null && (
                <span className="quiet">
                  {t('options.default', {
                    value: usual === true ? t('options.yes') : usual === false ? t('options.no') : usual,
                  })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
