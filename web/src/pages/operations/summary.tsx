import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { textAt } from '../../api.ts';
import { Loaded } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

const EVERY_MS = 10_000;
const MOST_LAG_S = 30;
const FULL = 0.8;
const OPEN = /state="(?:pending|sending|sent)"/;

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

interface Metrics {
  readonly at: number;
  /** values of all series of a metric whose labels match */
  readonly of: (name: string, labels?: RegExp) => readonly number[];
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/gm;

async function readMetrics(): Promise<Metrics> {
  const text = await textAt('/metrics');
  const samples = [...text.matchAll(LINE)].map(
    ([, name, labels = '', value]): Sample => ({ name: name!, labels, value: Number(value) }),
  );
  const of: Metrics['of'] = (name, labels = /^/) =>
    samples.flatMap((each) => (each.name === name && labels.test(each.labels) ? [each.value] : []));
  return { at: Date.now(), of };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Values of the metrics that show first that something is wrong. */
export function Summary() {
  const before = useRef<Metrics>(undefined);
  const latest = useRef<Metrics>(undefined);
  const query = useQuery({ queryKey: ['ops', 'metrics'], queryFn: readMetrics, refetchInterval: EVERY_MS });
  const now = query.data;
  if (now !== undefined && now !== latest.current) {
    before.current = latest.current;
    latest.current = now;
  }
  return <Loaded query={query}>{(known) => <Sums now={known} past={before.current} />}</Loaded>;
}

function Sums({ now, past }: { readonly now: Metrics; readonly past: Metrics | undefined }) {
  const { t, number, duration, clock } = useSession();
  const total = (name: string, labels?: RegExp): number => sum(now.of(name, labels));
  const perSecond = (name: string): string =>
    past === undefined
      ? t('vehicle.none')
      : `${number(Math.max(0, total(name) - sum(past.of(name))) / ((now.at - past.at) / 1_000), 1)}/s`;
  const lag = Math.max(0, ...now.of('fleetgate_spool_lag_seconds'));
  const [bytes, limit] = [total('fleetgate_spool_bytes'), total('fleetgate_spool_limit_bytes')];
  const oldest = Math.max(0, ...now.of('fleetgate_command_oldest_pending_seconds'));
  const free = now.of('fleetgate_disk_free_bytes');
  const entries: readonly [string, string, boolean][] = [
    [t('summary.online'), number(total('fleetgate_devices_online')), false],
    [t('summary.stored'), perSecond('fleetgate_positions_stored_total'), false],
    [t('summary.lag'), duration(lag), lag > MOST_LAG_S],
    [t('summary.spool'), `${number(bytes / 1e6, 1)} / ${number(limit / 1e6)} MB`, limit > 0 && bytes > FULL * limit],
    [t('summary.commands'), number(total('fleetgate_commands', OPEN)), false],
    [t('summary.oldest'), oldest === 0 ? t('vehicle.none') : duration(oldest), false],
    [t('summary.rejected'), number(total('fleetgate_spool_set_aside')), total('fleetgate_spool_set_aside') > 0],
    [t('summary.clients'), number(total('fleetgate_live_clients')), false],
    ...(free.length === 0
      ? []
      : [[t('summary.disk'), `${number(Math.min(...free) / 1e9, 1)} GB`, false] as [string, string, boolean]]),
  ];
  return (
    <section className="card" aria-label={t('summary.title')}>
      <h2>
        {t('summary.title')} <span className="quiet">{clock(now.at)}</span>
      </h2>
      <dl className="sums">
        {entries.map(([name, value, isWrong]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{isWrong ? <span className="tag warn">⚠ {value}</span> : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
