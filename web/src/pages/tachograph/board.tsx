import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api, every } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { useNow } from '../../parts/now.ts';
import { usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { DriverLink, dateText, hours, TachographPage, useDrivers, Verdict } from './shared.tsx';

const EVERY_MS = 60_000;
const PAGE = 100;
const DUE_KINDS = { ok: 'good', due_soon: 'warn', overdue: 'bad', never: 'idle' } as const;

/** What drivers may still drive, and which downloads are due. */
export function BoardPage() {
  const { t, may } = useSession();
  return (
    <TachographPage title={t('tacho.board')}>
      {may('drivers:read') && <Residual />}
      <DueCards />
      <DueUnits />
    </TachographPage>
  );
}

const ofSeconds = (seconds: number | null): string => (seconds === null ? '–' : hours(seconds / 60));

/** What remains, or the range that it lies in. */
const remaining = (
  seconds: number | null,
  range: { readonly min: number; readonly max: number } | undefined,
): string =>
  seconds === null && range !== undefined ? `${ofSeconds(range.min)}–${ofSeconds(range.max)}` : ofSeconds(seconds);

function Residual() {
  const { t, time, age } = useSession();
  const now = useNow();
  const names = useDrivers();
  const board = useQuery({
    queryKey: ['tachograph', 'residual'],
    queryFn: async () => (await answerOf(api.GET('/v1/drivers/plafond'))).items,
    refetchInterval: every(EVERY_MS),
  });
  const items = board.data?.toSorted((a, b) => (a.drivableNowS ?? Infinity) - (b.drivableNowS ?? Infinity));
  return (
    <section className="card" aria-label={t('tacho.residual')}>
      <h2>{t('tacho.residual')}</h2>
      <p className="quiet">{t('tacho.residualNote')}</p>
      <Listing query={board} items={items} empty={t('tacho.noDrivers')}>
        {(rows) => (
          <Table
            head={[
              t('alarm.driver'),
              t('tacho.drivable'),
              t('tacho.untilBreak'),
              t('tacho.today'),
              t('tacho.thisWeek'),
              t('tacho.twoWeeks'),
              t('tacho.restDue'),
              t('tacho.dataAsOf'),
            ]}
          >
            {rows.map(({ driverId, driving, weekly, biweekly, rest, continuous, drivableNowS, range, ...row }) => (
              <tr key={driverId}>
                <td>
                  <DriverLink id={driverId} name={names.get(driverId)} />
                </td>
                <td>
                  <strong>{remaining(drivableNowS, range?.drivableNowS)}</strong>
                </td>
                <td>{remaining(continuous.remainingS, range?.continuousS)}</td>
                <td>{remaining(driving.remainingS, range?.dailyS)}</td>
                <td>{remaining(weekly.remainingS, range?.weeklyS)}</td>
                <td>{remaining(biweekly.remainingS, range?.biweeklyS)}</td>
                <td>{rest.nextDueAt === null ? t('vehicle.none') : time(rest.nextDueAt)}</td>
                <td title={time(row.dataAsOf)}>
                  {row.dataAsOf === null ? t('vehicle.none') : age(row.dataAsOf, now)}{' '}
                  {row.stale && <span className="tag warn">{t('tacho.stale')}</span>}
                  {row.basis === 'assumed' && <span className="quiet">{t('tacho.restAssumed')}</span>}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}

interface Due {
  readonly status: keyof typeof DUE_KINDS;
  readonly daysLeft: number | null;
}

function DueState({ status, daysLeft }: Due) {
  const { t } = useSession();
  return (
    <>
      <span className={`tag ${DUE_KINDS[status]}`}>{t(`due.${status}`)}</span>{' '}
      {daysLeft !== null && <span className="quiet">{t('tacho.days', { n: daysLeft })}</span>}
    </>
  );
}

type Remote = NonNullable<Awaited<ReturnType<typeof cardsOf>>['items'][number]['remote']>;

const REMOTE_KINDS = { waiting: 'idle', requested: 'warn', received: 'good', failed: 'bad' } as const;

const REASONS = ['no-device', 'no-file', 'incomplete-file', 'not-a-ddd'] as const;
const isKnown = (error: string): error is (typeof REASONS)[number] => REASONS.some((each) => each === error);

interface Scheduled {
  readonly remote: Remote | null;
  /** whose card or unit */
  readonly of: { readonly driverId: string } | { readonly targa: string };
  readonly name: string;
  /** days until the law requires a download */
  readonly most: number;
}

/** The schedule of remote downloads, and what changes it. */
function RemoteDownload({ remote, of, name, most }: Scheduled) {
  const { t, may } = useSession();
  const { run, isRunning, result } = useAction(['tachograph', 'due']);
  const plan = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const everyDays = Number(new FormData(event.currentTarget).get('days'));
    void run(async () => {
      await answerOf(api.PUT('/v1/drivers/ddd/remote', { body: { ...of, everyDays } }));
      return t('remote.planned');
    });
  };
  const onSchedule = (act: 'request' | 'delete'): Promise<void> =>
    run(async () => {
      const params = { path: { id: remote!.id } };
      if (act === 'delete') await answerOf(api.DELETE('/v1/drivers/ddd/remote/{id}', { params }));
      else await answerOf(api.POST('/v1/drivers/ddd/remote/{id}/request', { params }));
      return t(act === 'delete' ? 'remote.cancelled' : 'remote.sent');
    });
  return (
    <>
      <RemoteState remote={remote} />
      {may('ddd:write') && (
        <details>
          <summary aria-label={`${t('remote.plan')}: ${name}`}>{t('remote.plan')}</summary>
          <form className="actions" onSubmit={plan} aria-label={`${t('remote.plan')}: ${name}`}>
            <input
              type="number"
              name="days"
              aria-label={`${t('remote.everyDays')}: ${name}`}
              min={1}
              max={most}
              required
              defaultValue={remote?.everyDays ?? most - 7}
            />
            <button type="submit" disabled={isRunning}>
              {t('tacho.save')}
            </button>
            {remote !== null &&
              (['request', 'delete'] as const).map((act) => (
                <button key={act} type="button" disabled={isRunning} onClick={() => void onSchedule(act)}>
                  {t(act === 'request' ? 'remote.now' : 'remote.cancel')}
                </button>
              ))}
          </form>
        </details>
      )}
      {result}
    </>
  );
}

/** The newest request of a remote download: where it failed, the code of the reason. */
function RemoteState({ remote }: { readonly remote: Remote | null }) {
  const { t, time } = useSession();
  if (remote === null) return <span className="quiet">{t('remote.none')}</span>;
  const { state, everyDays, requestedAt, endedAt, imei, error } = remote;
  return (
    <span title={[imei, time(endedAt ?? requestedAt)].filter(Boolean).join(' · ')}>
      <span className={`tag ${REMOTE_KINDS[state]}`}>{t(`remote.${state}`)}</span>{' '}
      <span className="quiet">{t('remote.every', { n: everyDays })}</span>
      {error !== null && <div className="quiet">{isKnown(error) ? t(`remote.${error}`) : error}</div>}
    </span>
  );
}

const cardsOf = (cursor: { readonly cursor?: string }) =>
  answerOf(
    api.GET('/v1/drivers/ddd/{user_id}', {
      params: { path: { user_id: 'me' }, query: { limit: PAGE, ...cursor } },
    }),
  );

function DueCards() {
  const { t, time } = useSession();
  const names = useDrivers();
  const list = usePages(['tachograph', 'due', 'cards'], cardsOf);
  return (
    <section className="card" aria-label={t('tacho.dueCards')}>
      <h2>{t('tacho.dueCards')}</h2>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('tacho.noDrivers')}>
        {(rows) => (
          <Table
            head={[
              t('alarm.driver'),
              t('tacho.dueAt'),
              t('alarm.state'),
              t('tacho.lastDownload'),
              t('tacho.remote'),
              t('tacho.signature'),
              t('tacho.cardExpiry'),
              t('tacho.missingDays'),
              t('tacho.infringements'),
              t('tacho.notices'),
            ]}
          >
            {rows.map((each) => (
              <tr key={each.driverId}>
                <td>
                  <DriverLink id={each.driverId} name={names.get(each.driverId)} />
                </td>
                <td>{each.dueAt === null ? t('vehicle.none') : time(each.dueAt)}</td>
                <td>
                  <DueState status={each.status} daysLeft={each.daysLeft} />
                </td>
                <td>{time(each.downloadedAt)}</td>
                <td>
                  <RemoteDownload
                    remote={each.remote}
                    of={{ driverId: each.driverId }}
                    name={names.get(each.driverId) ?? each.driverId}
                    most={each.dueDays}
                  />
                </td>
                <td>
                  <Verdict verdict={each.verdict} />
                </td>
                <td>{each.cardExpiry === null ? t('vehicle.none') : dateText(each.cardExpiry)}</td>
                <td>{each.missingDays}</td>
                <td>{each.openInfringements}</td>
                <td>{each.notices}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}

function DueUnits() {
  const { t, time } = useSession();
  const list = usePages(['tachograph', 'due', 'units'], (cursor) => {
    const params = { path: { user_id: 'me' }, query: { limit: PAGE, ...cursor } };
    return answerOf(api.GET('/v1/vehicles/ddd/{user_id}', { params }));
  });
  return (
    <section className="card" aria-label={t('tacho.dueUnits')}>
      <h2>{t('tacho.dueUnits')}</h2>
      <Listing query={list} items={list.data?.pages.flatMap(({ items }) => items)} empty={t('map.empty')}>
        {(rows) => (
          <Table
            head={[
              t('share.vehicle'),
              t('tacho.dueAt'),
              t('alarm.state'),
              t('tacho.lastDownload'),
              t('tacho.remote'),
              t('tacho.signature'),
              t('tacho.calibration'),
            ]}
          >
            {rows.map((each) => (
              <tr key={each.targa}>
                <td>{each.targa}</td>
                <td>{each.dueAt === null ? t('vehicle.none') : time(each.dueAt)}</td>
                <td>
                  <DueState status={each.status} daysLeft={each.daysLeft} />
                </td>
                <td>{time(each.downloadedAt)}</td>
                <td>
                  <RemoteDownload
                    remote={each.remote}
                    of={{ targa: each.targa }}
                    name={each.targa}
                    most={each.dueDays}
                  />
                </td>
                <td>
                  <Verdict verdict={each.verdict} />
                </td>
                <td>{each.nextCalibration === null ? t('vehicle.none') : dateText(each.nextCalibration)}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}
