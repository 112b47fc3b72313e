import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { paths } from '../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../api.ts';
import { REPORT_KINDS, REPORT_STATES } from '../lists.ts';
import { useAction } from '../parts/action.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Choice, Filters } from '../parts/filters.tsx';
import { Listing, Table } from '../parts/listing.tsx';
import { usePages } from '../parts/pages.ts';
import { useSession } from '../session.tsx';

const route = getRouteApi('/reports');
const STATE_KINDS = { waiting: 'idle', sending: 'warn', sent: 'good', failed: 'bad' } as const;
const PAGE = 50;
const EVERY_MS = 5_000;
/** any Monday */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

type Schedule = paths['/v1/report-schedules/{id}']['get']['responses']['200']['content']['application/json'];

/** Reports that are sent by e-mail every week or month, and what has become of each. */
export function ReportsPage() {
  const { t, may } = useSession();
  const schedules = usePages(['reports', 'schedules'], (cursor) => {
    const query = { limit: PAGE, ...cursor };
    return answerOf(api.GET('/v1/report-schedules', { params: { query } }));
  });
  return (
    <div className="page">
      <h1>{t('report.title')}</h1>
      {may('notifications:write') && <NewSchedule />}
      <Listing query={schedules} items={schedules.data?.pages.flatMap(({ items }) => items)} empty={t('report.none')}>
        {(items) => <Schedules schedules={items} />}
      </Listing>
      <Runs />
    </div>
  );
}

function useWeekday(): (day: number) => string {
  const { language } = useSession();
  const format = new Intl.DateTimeFormat(language === 'it' ? 'it-IT' : 'en-GB', { weekday: 'long', timeZone: 'UTC' });
  return (day) => format.format(new Date(MONDAY + (day - 1) * DAY_MS));
}

function NewSchedule() {
  const { t, zone, language, me } = useSession();
  const { run, isRunning, result } = useAction(['reports']);
  const weekday = useWeekday();
  const [every, setEvery] = useState<'week' | 'month'>('week');
  const create = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const vehicles = text('vehicles')
      .split(/[\s,;]+/)
      .filter(Boolean);
    void run(async () => {
      const body = {
        name: text('name'),
        kind: REPORT_KINDS.find((each) => each === text('kind')) ?? 'trips',
        format: text('format') === 'pdf' ? ('pdf' as const) : ('xlsx' as const),
        every,
        day: Number(text('day')),
        hour: Number(text('hour')),
        zone: text('zone'),
        language: text('language') === 'en' ? ('en' as const) : ('it' as const),
        recipients: text('recipients')
          .split(/[\s,;]+/)
          .filter(Boolean),
        vehicles: vehicles.length === 0 ? null : vehicles,
      };
      await answerOf(api.POST('/v1/report-schedules', { body }));
      element.reset();
      setEvery('week');
      return t('report.created');
    });
  };
  const days = Array.from({ length: every === 'week' ? 7 : 28 }, (_, n) => n + 1);
  return (
    <form className="card form" onSubmit={create} aria-label={t('report.new')} autoComplete="off">
      <label>
        {t('device.name')}
        <input name="name" required maxLength={200} />
      </label>
      <label>
        {t('report.kind')}
        <select name="kind">
          {REPORT_KINDS.map((each) => (
            <option key={each} value={each}>
              {t(`reportKind.${each}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('report.format')}
        <select name="format">
          <option value="xlsx">XLSX</option>
          <option value="pdf">PDF</option>
        </select>
      </label>
      <label>
        {t('report.every')}
        <select value={every} onChange={(event) => setEvery(event.target.value === 'month' ? 'month' : 'week')}>
          <option value="week">{t('report.week')}</option>
          <option value="month">{t('report.month')}</option>
        </select>
      </label>
      <label>
        {t('report.day')}
        <select key={every} name="day">
          {days.map((day) => (
            <option key={day} value={day}>
              {every === 'week' ? weekday(day) : day}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('report.hour')}
        <input name="hour" type="number" min={0} max={23} required defaultValue={6} />
      </label>
      <label>
        {t('setting.zone')}
        <select name="zone" defaultValue={zone}>
          {[...new Set([zone, me.user.timezone, me.tenant.timezone, 'Europe/Rome', 'UTC'])].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label>
        {t('setting.language')}
        <select name="language" defaultValue={language}>
          <option value="it">Italiano</option>
          <option value="en">English</option>
        </select>
      </label>
      <label className="wide">
        {t('report.recipients')}
        <input name="recipients" required defaultValue={me.user.email ?? ''} />
      </label>
      <label className="wide">
        {t('report.vehicles')}
        <input name="vehicles" />
      </label>
      <div className="actions wide">
        <button type="submit" className="primary" disabled={isRunning}>
          {t('report.new')}
        </button>
        {result}
      </div>
    </form>
  );
}

function Schedules({ schedules }: { schedules: readonly Schedule[] }) {
  const { t, time, may } = useSession();
  const weekday = useWeekday();
  const { run, isRunning, result } = useAction(['reports']);
  const [asked, setAsked] = useState<Schedule>();
  const send = (id: string): Promise<void> =>
    run(async () => {
      await answerOf(api.POST('/v1/report-schedules/{id}/run', { params: { path: { id } } }));
      return t('report.queued');
    });
  const activate = ({ id, active }: Schedule): Promise<void> =>
    run(async () => {
      const body = { active: !active };
      await answerOf(api.PATCH('/v1/report-schedules/{id}', { params: { path: { id } }, body }));
      return undefined;
    });
  const remove = ({ id }: Schedule): Promise<void> => {
    setAsked(undefined);
    return run(async () => {
      await answerOf(api.DELETE('/v1/report-schedules/{id}', { params: { path: { id } } }));
      return undefined;
    });
  };
  return (
    <>
      {result}
      <Table
        head={[
          t('device.name'),
          t('report.kind'),
          t('report.every'),
          t('report.recipients'),
          t('report.next'),
          t('ops.action'),
        ]}
      >
        {schedules.map((each) => (
          <tr key={each.id}>
            <td>{each.name}</td>
            <td>
              {t(`reportKind.${each.kind}`)} <span className="quiet">{each.format.toUpperCase()}</span>
            </td>
            <td>
              {each.every === 'week' ? weekday(each.day) : t('report.dayOfMonth', { nth: each.day })}, {each.hour}:00{' '}
              <span className="quiet">{each.zone}</span>
            </td>
            <td className="answer">{each.recipients.join(', ')}</td>
            <td>{each.nextAt === null ? t('report.paused') : time(each.nextAt)}</td>
            <td className="actions">
              {may('notifications:write') && (
                <>
                  <button
                    type="button"
                    disabled={isRunning}
                    aria-label={`${t('report.sendNow')}: ${each.name}`}
                    onClick={() => void send(each.id)}
                  >
                    {t('report.sendNow')}
                  </button>
                  <button
                    type="button"
                    disabled={isRunning}
                    aria-label={`${t(each.active ? 'ops.pause' : 'ops.resume')}: ${each.name}`}
                    onClick={() => void activate(each)}
                  >
                    {each.active ? t('ops.pause') : t('ops.resume')}
                  </button>
                  <button
                    type="button"
                    disabled={isRunning}
                    aria-label={`${t('report.remove')}: ${each.name}`}
                    onClick={() => setAsked(each)}
                  >
                    {t('report.remove')}
                  </button>
                </>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {asked !== undefined && (
        <Confirm
          text={t('report.confirmRemove', { name: asked.name })}
          onYes={() => void remove(asked)}
          onNo={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

function Runs() {
  const { t, time, number, may } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/reports' });
  const state = REPORT_STATES.find((each) => each === search.state);
  const { run, isRunning, result } = useAction(['reports']);
  const runs = usePages(
    ['reports', 'runs', state],
    (cursor) => {
      const query = { limit: PAGE, ...(state && { state }), ...cursor };
      return answerOf(api.GET('/v1/report-runs', { params: { query } }));
    },
    { refetchAfter: () => EVERY_MS },
  );
  const retry = (id: string): Promise<void> =>
    run(async () => {
      await answerOf(api.POST('/v1/report-runs/{id}/retry', { params: { path: { id } } }));
      return undefined;
    });
  return (
    <section className="card" aria-label={t('report.runs')}>
      <h2>{t('report.runs')}</h2>
      <Filters>
        <Choice
          label={t('alarm.state')}
          values={REPORT_STATES}
          value={state}
          text={(each) => t(`reportState.${each}`)}
          onChange={(next) => void navigate({ search: next === undefined ? {} : { state: next }, replace: true })}
        />
      </Filters>
      {result}
      <Listing query={runs} items={runs.data?.pages.flatMap(({ items }) => items)} empty={t('report.noRuns')}>
        {(items) => (
          <Table
            head={[
              t('device.name'),
              t('tacho.period'),
              t('alarm.state'),
              t('command.attempts'),
              t('report.sentAt'),
              t('ops.action'),
            ]}
          >
            {items.map((each) => (
              <tr key={each.id}>
                <td>
                  {each.name} <div className="quiet">{t(`reportKind.${each.kind}`)}</div>
                </td>
                <td>
                  {each.from} – {each.to}
                </td>
                <td>
                  <span className={`tag ${STATE_KINDS[each.state]}`}>{t(`reportState.${each.state}`)}</span>
                  {each.problem !== null && <div className="quiet answer">{each.problem}</div>}
                  {each.nextAt !== null && (
                    <div className="quiet">{t('report.nextAttempt', { at: time(each.nextAt) })}</div>
                  )}
                </td>
                <td>{each.attempts}</td>
                <td>
                  {each.sentAt === null ? t('vehicle.none') : time(each.sentAt)}
                  {each.bytes !== null && <div className="quiet">{number(each.bytes / 1_000)} kB</div>}
                </td>
                <td>
                  {each.state === 'failed' && may('notifications:write') && (
                    <button
                      type="button"
                      disabled={isRunning}
                      aria-label={`${t('ops.replay')}: ${each.name}, ${each.from}`}
                      onClick={() => void retry(each.id)}
                    >
                      {t('ops.replay')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </section>
  );
}
