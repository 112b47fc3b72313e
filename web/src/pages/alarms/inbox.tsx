import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useAction } from '../../parts/action.tsx';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing, Table } from '../../parts/listing.tsx';
import { reload } from '../../parts/live.ts';
import { type Cursor, usePages } from '../../parts/pages.ts';
import { useSession } from '../../session.tsx';
import { dayOf } from '../../zone.ts';
import { beep } from './beep.ts';
import { isRuleType } from './rule-types.ts';

const route = getRouteApi('/alarms');
const SEVERITIES = ['low', 'normal', 'high', 'critical'] as const;
const PAGE = 50;
const MUTED = 'fleetgate.alarms.muted';
const KINDS: Readonly<Record<string, string>> = { critical: 'bad', high: 'warn', normal: 'idle', low: '' };

type Alert = Awaited<ReturnType<typeof readPage>>['items'][number];

const readPage = (severity: (typeof SEVERITIES)[number] | undefined, cursor: Cursor) =>
  answerOf(
    api.GET('/v1/app/alert', {
      params: { query: { limit: PAGE, ...(severity && { severity }), ...cursor } },
    }),
  );

export function AlarmsPage() {
  const { t, fleet } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/alarms' });
  const queries = useQueryClient();
  const severity = SEVERITIES.find((each) => each === search.severity);
  const [isMuted, setMuted] = useState(() => window.localStorage.getItem(MUTED) !== 'false');
  const { run, result } = useAction(['alarms']);
  const list = usePages(['alarms', severity], (cursor) => readPage(severity, cursor));
  useEffect(
    () =>
      fleet.onEvent(({ type }) => {
        // after a gap of the stream alarms may have been missed
        if (type !== 'notification' && type !== 'gap') return;
        if (type === 'notification' && !isMuted) beep();
        void reload(queries, ['alarms']);
      }),
    [fleet, queries, isMuted],
  );
  const all = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = all.filter(
    ({ ack, kind }) => (search.state === 'all' || !ack) && (search.type === undefined || kind === search.type),
  );
  const change = (more: Partial<Record<'severity' | 'type' | 'state', string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const acknowledge = (alerts: readonly Alert[]): Promise<void> =>
    run(async () => {
      for (const { id } of alerts) await answerOf(api.POST('/v1/app/alert/{id}/ack', { params: { path: { id } } }));
      return undefined;
    });
  const open = all.filter(({ ack }) => !ack);
  return (
    <div className="page">
      <h1>{t('alarm.title')}</h1>
      <Counts open={open} onType={(type) => change({ type })} />
      <Filters>
        <Choice
          label={t('alarm.severity')}
          values={SEVERITIES}
          value={severity}
          text={(each) => `≥ ${t(`severity.${each}`)}`}
          onChange={(next) => change({ severity: next })}
        />
        <Choice
          label={t('alarm.state')}
          values={['all'] as const}
          value={search.state === 'all' ? 'all' : undefined}
          text={() => t('alarm.all')}
          all={t('alarm.open')}
          onChange={(next) => change({ state: next })}
        />
        <button
          type="button"
          aria-pressed={!isMuted}
          onClick={() => {
            window.localStorage.setItem(MUTED, String(!isMuted));
            setMuted(!isMuted);
          }}
        >
          {isMuted ? t('alarm.muted') : t('alarm.sound')}
        </button>
        {shown.some(({ ack }) => !ack) && (
          <button type="button" onClick={() => void acknowledge(shown.filter(({ ack }) => !ack))}>
            {t('alarm.ackAll')}
          </button>
        )}
      </Filters>
      {result}
      <Listing query={list} items={shown} empty={t('alarm.none')}>
        {(alerts) => <AlertTable alerts={alerts} onAcknowledge={(alert) => void acknowledge([alert])} />}
      </Listing>
    </div>
  );
}

function Counts({ open, onType }: { open: readonly Alert[]; onType: (type: string | undefined) => void }) {
  const { t } = useSession();
  const { type: chosen } = route.useSearch();
  const counts = new Map<string, number>();
  for (const { kind } of open) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return (
    <div className="actions" role="status">
      <strong>{t('alarm.count', { n: open.length })}</strong>
      {[...counts].map(([kind, n]) => (
        <button
          key={kind}
          type="button"
          aria-pressed={chosen === kind}
          onClick={() => onType(chosen === kind ? undefined : kind)}
        >
          {isRuleType(kind) ? t(`ruleType.${kind}`) : kind}: {n}
        </button>
      ))}
      {chosen !== undefined && !counts.has(chosen) && (
        <button type="button" aria-pressed={true} onClick={() => onType(undefined)}>
          {isRuleType(chosen) ? t(`ruleType.${chosen}`) : chosen}: 0
        </button>
      )}
    </div>
  );
}

function AlertTable({ alerts, onAcknowledge }: { alerts: readonly Alert[]; onAcknowledge: (alert: Alert) => void }) {
  const { t, time, zone, may } = useSession();
  return (
    <Table
      head={[
        t('alarm.severity'),
        t('alarm.when'),
        t('alarm.what'),
        t('alarm.driver'),
        t('alarm.where'),
        t('alarm.state'),
      ]}
    >
      {alerts.map((alert) => (
        <tr key={alert.id}>
          <td>
            <span className={`tag ${KINDS[alert.severity] ?? ''}`}>
              {t(`severity.${SEVERITIES.find((each) => each === alert.severity) ?? 'normal'}`)}
            </span>
          </td>
          <td>{time(alert.occurredAt)}</td>
          <td>
            <strong>{alert.title}</strong>
            {alert.targa !== undefined && may('positions:read') && (
              <div>
                <Link
                  to="/vehicles/$targa"
                  params={{ targa: alert.targa }}
                  search={{ day: dayOf(Date.parse(alert.occurredAt), zone) }}
                >
                  {alert.targa}
                </Link>
              </div>
            )}
            {alert.detail !== null && <div className="quiet">{alert.detail}</div>}
          </td>
          <td>{alert.driver?.name ?? t('vehicle.none')}</td>
          <td>
            {alert.position?.latitude === undefined
              ? t('vehicle.none')
              : `${alert.position.latitude.toFixed(5)}, ${alert.position.longitude?.toFixed(5)}`}
            {alert.mapUrl !== null && (
              <div>
                <a href={alert.mapUrl} target="_blank" rel="noreferrer">
                  {t('alarm.map')}
                </a>
              </div>
            )}
          </td>
          <td>
            {alert.ack ? (
              <span className="tag good">{t('alarm.acked')}</span>
            ) : (
              <button
                type="button"
                aria-label={`${t('alarm.ack')}: ${alert.title}`}
                onClick={() => onAcknowledge(alert)}
              >
                {t('alarm.ack')}
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
