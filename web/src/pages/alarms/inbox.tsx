import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { PRIORITIES } from '../../lists.ts';
import { Choice, Filters } from '../../parts/filters.tsx';
import { Listing } from '../../parts/listing.tsx';
import { columnsOf, DataTable } from '../../parts/table.tsx';
import { type Session, useSession } from '../../session.tsx';
import { dayOf } from '../../zone.ts';
import { beep } from './beep.ts';
import { isRuleType } from './rule-types.ts';
import { type Alert, useAlarms } from './use-alarms.ts';

const route = getRouteApi('/alarms');
const MUTED = 'fleetgate.alarms.muted';
const KINDS: Readonly<Record<string, string>> = { critical: 'bad', high: 'warn', normal: 'idle', low: '' };

/** The sound of new alarms: chosen for this browser. */
function useSound() {
  const [isMuted, setMuted] = useState(() => window.localStorage.getItem(MUTED) !== 'false');
  const mute = (next: boolean): void => {
    window.localStorage.setItem(MUTED, String(next));
    setMuted(next);
  };
  const play = useCallback(() => {
    if (!isMuted) beep();
  }, [isMuted]);
  return { isMuted, mute, play };
}

export function AlarmsPage() {
  const { t } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/alarms' });
  const severity = PRIORITIES.find((each) => each === search.severity);
  const { isMuted, mute, play } = useSound();
  const { list, items: all, acknowledge } = useAlarms(severity, play);
  const shown = all.filter(
    ({ ack, kind }) => (search.state === 'all' || !ack) && (search.type === undefined || kind === search.type),
  );
  const change = (more: Partial<Record<'severity' | 'type' | 'state', string | undefined>>): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const open = all.filter(({ ack }) => !ack);
  return (
    <div className="page">
      <h1>{t('alarm.title')}</h1>
      <Counts open={open} onType={(type) => change({ type })} />
      <Filters>
        <Choice
          label={t('alarm.severity')}
          values={PRIORITIES}
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
        <button type="button" aria-pressed={!isMuted} onClick={() => mute(!isMuted)}>
          {isMuted ? t('alarm.muted') : t('alarm.sound')}
        </button>
        {shown.some(({ ack }) => !ack) && (
          <button type="button" onClick={() => void acknowledge.run(shown.filter(({ ack }) => !ack))}>
            {t('alarm.ackAll')}
          </button>
        )}
      </Filters>
      {acknowledge.result}
      <Listing query={list} items={shown} empty={t('alarm.none')}>
        {(alerts) => <AlertTable alerts={alerts} onAcknowledge={(alert) => void acknowledge.run([alert])} />}
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

const column = columnsOf<Alert>();

const columns = ({ t, time, zone, may }: Session, onAcknowledge: (alert: Alert) => void) =>
  column.columns([
    column.accessor('severity', {
      header: t('alarm.severity'),
      cell: ({ row: { original } }) => (
        <span className={`tag ${KINDS[original.severity] ?? ''}`}>
          {t(`severity.${PRIORITIES.find((each) => each === original.severity) ?? 'normal'}`)}
        </span>
      ),
    }),
    column.accessor('occurredAt', {
      header: t('alarm.when'),
      cell: ({ row: { original } }) => time(original.occurredAt),
    }),
    column.accessor('title', {
      header: t('alarm.what'),
      cell: ({ row: { original } }) => (
        <>
          <strong>{original.title}</strong>
          {original.targa !== undefined && may('positions:read') && (
            <div>
              <Link
                to="/vehicles/$targa"
                params={{ targa: original.targa }}
                search={{ day: dayOf(Date.parse(original.occurredAt), zone) }}
              >
                {original.targa}
              </Link>
            </div>
          )}
          {original.detail !== null && <div className="quiet">{original.detail}</div>}
        </>
      ),
    }),
    column.display({
      id: 'driver',
      header: t('alarm.driver'),
      cell: ({ row: { original } }) => original.driver?.name ?? t('vehicle.none'),
    }),
    column.display({ id: 'where', header: t('alarm.where'), cell: ({ row }) => <Place alert={row.original} /> }),
    column.accessor('ack', {
      header: t('alarm.state'),
      cell: ({ row: { original } }) =>
        original.ack ? (
          <span className="tag good">{t('alarm.acked')}</span>
        ) : (
          <button
            type="button"
            aria-label={`${t('alarm.ack')}: ${original.title}`}
            onClick={() => onAcknowledge(original)}
          >
            {t('alarm.ack')}
          </button>
        ),
    }),
  ]);

function Place({ alert: { position, mapUrl } }: { readonly alert: Alert }) {
  const { t } = useSession();
  return (
    <>
      {position?.latitude === undefined
        ? t('vehicle.none')
        : `${position.latitude.toFixed(5)}, ${position.longitude?.toFixed(5)}`}
      {mapUrl !== null && (
        <div>
          <a href={mapUrl} target="_blank" rel="noreferrer">
            {t('alarm.map')}
          </a>
        </div>
      )}
    </>
  );
}

function AlertTable({ alerts, onAcknowledge }: { alerts: readonly Alert[]; onAcknowledge: (alert: Alert) => void }) {
  return <DataTable columns={columns(useSession(), onAcknowledge)} rows={alerts} rowId={({ id }) => id} />;
}
