import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { paths } from '../../../dist/client/fleetgate.d.ts';
import { answerOf, api, type TimelineItem } from '../api.ts';
import { wordsOr } from '../i18n/title.ts';
import { useNow } from '../parts/now.ts';
import { usePages } from '../parts/pages.ts';
import { Loaded, ReadingProblem } from '../parts/problem.tsx';
import { DeviceState } from '../parts/status.tsx';
import { useSession } from '../session.tsx';
import { Blocking } from './device/blocking.tsx';
import { Fields } from './device/fields.tsx';
import { Options } from './device/options.tsx';
import { Tank } from './device/tank.tsx';

const route = getRouteApi('/devices/$imei');
type Device = paths['/v1/devices/{imei}']['get']['responses']['200']['content']['application/json'];
const PAGE = 50;
const MINUTES = [15, 60, 360, 1_440];

export function DevicePage() {
  const { imei } = route.useParams();
  const { t } = useSession();
  const device = useQuery({
    queryKey: ['device', imei],
    queryFn: () => answerOf(api.GET('/v1/devices/{imei}', { params: { path: { imei } } })),
  });
  return (
    <Loaded query={device} waiting={<p className="notice">{t('loading')}</p>}>
      {(known) => <Known device={known} />}
    </Loaded>
  );
}

function Known({ device }: { readonly device: Device }) {
  const { imei, name, state, protocol, lastSeenAt, remote, options, blockedAt, blockedNote } = device;
  const { t, age, time, may } = useSession();
  const now = useNow();
  return (
    <div className="page">
      <h1>
        {imei} <DeviceState state={state} />
      </h1>
      <dl className="card">
        <dt>{t('device.name')}</dt>
        <dd>{name ?? t('vehicle.none')}</dd>
        <dt>{t('device.protocol')}</dt>
        <dd>{protocol ?? t('vehicle.none')}</dd>
        <dt>{t('device.lastSeen')}</dt>
        <dd>
          {time(lastSeenAt)} <span className="quiet">{lastSeenAt !== null && `(${age(lastSeenAt, now)})`}</span>
        </dd>
        <dt>{t('device.remote')}</dt>
        <dd>{remote ?? t('vehicle.none')}</dd>
      </dl>
      <p className="actions">
        {may('commands:read') && (
          <Link to="/commands" search={{ imei }}>
            {t('vehicle.commands')}
          </Link>
        )}
        <Link to="/devices/setup" search={protocol === null ? {} : { protocol }}>
          {t('device.setup')}
        </Link>
      </p>
      {protocol !== null && (
        <details>
          <summary>{t('options.title')}</summary>
          <Options imei={imei} protocol={protocol} options={options} />
        </details>
      )}
      {state !== 'unknown' && <Blocking imei={imei} blockedAt={blockedAt} blockedNote={blockedNote} />}
      {state !== 'unknown' && <Tank imei={imei} options={options} />}
      <Timeline imei={imei} />
    </div>
  );
}

/** What was received, beside what it means. */
function Timeline({ imei }: { imei: string }) {
  const { t, duration, time } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/devices/$imei' });
  const minutes = MINUTES.find((each) => String(each) === search.minutes) ?? MINUTES[0]!;
  // set again by "refresh": pages of one list have the same beginning
  const [asked, setAsked] = useState(() => Date.now());
  const from = new Date(asked - minutes * 60_000).toISOString();
  const timeline = usePages(['timeline', imei, from], (cursor) => {
    const query = { from, limit: PAGE, ...cursor };
    return answerOf(api.GET('/v1/devices/{imei}/timeline', { params: { path: { imei }, query } }));
  });
  const items = timeline.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section>
      <h2>{t('device.timeline')}</h2>
      <p className="actions">
        <select
          aria-label={t('device.since')}
          value={minutes}
          onChange={(event) => void navigate({ search: { minutes: event.target.value }, replace: true })}
        >
          {MINUTES.map((each) => (
            <option key={each} value={each}>
              {t('age.ago', { age: duration(each * 60) })}
            </option>
          ))}
        </select>
        <span className="quiet">{time(from)}</span>
        <button type="button" onClick={() => setAsked(Date.now())}>
          {t('device.refresh')}
        </button>
      </p>
      <ReadingProblem query={timeline} />
      {timeline.data !== undefined && items.length === 0 && <p>{t('device.noTimeline')}</p>}
      {items.length > 0 && (
        <table className="cards frames">
          <thead>
            <tr>
              <th>{t('device.time')}</th>
              <th>{t('device.kind')}</th>
              <th>{t('device.received')}</th>
              <th>{t('device.decoded')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item, index) => (
              <Entry
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id, and pages are only added at the end
                key={index}
                imei={imei}
                item={item}
                isOpen={item.at === search.frame}
                onOpen={(frame) =>
                  void navigate({ search: ({ minutes: kept }) => ({ minutes: kept, frame }), replace: true })
                }
              />
            ))}
          </tbody>
        </table>
      )}
      {timeline.hasNextPage && (
        <button type="button" onClick={() => void timeline.fetchNextPage()}>
          {t('command.more')}
        </button>
      )}
    </section>
  );
}

interface EntryProps {
  readonly imei: string;
  readonly item: TimelineItem;
  readonly isOpen: boolean;
  /** undefined: closes it */
  readonly onOpen: (frame: string | undefined) => void;
}

function Entry({ imei, item, isOpen, onOpen }: EntryProps) {
  const { t, time } = useSession();
  const { at, kind, protocol, remote, hex, text, decoded, detail } = item;
  const meaning = decoded ?? detail;
  const hasFields = hex !== null && decoded !== null && decoded.messages.length > 0;
  return (
    <>
      <tr>
        <td>{time(at)}</td>
        <td>
          {wordsOr(`timeline.${kind}`, kind, t)}{' '}
          <span className="quiet">{[protocol, remote].filter((each) => each !== null).join(' · ')}</span>
          {hasFields && (
            <div>
              <button type="button" aria-expanded={isOpen} onClick={() => onOpen(isOpen ? undefined : at)}>
                {isOpen ? t('device.hideFields') : t('device.fields')}
              </button>
            </div>
          )}
        </td>
        <td>
          <code className="answer">{text ?? hex}</code>
        </td>
        <td>{meaning !== null && <pre>{JSON.stringify(meaning, undefined, 1)}</pre>}</td>
      </tr>
      {isOpen && hasFields && (
        <tr>
          <td colSpan={4}>
            <Fields imei={imei} item={item} />
          </td>
        </tr>
      )}
    </>
  );
}
