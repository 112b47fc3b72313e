import { systemClock } from '../../platform/clock.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of the text format of Prometheus. */
export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const found = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)$/i.exec(line);
    if (found === null) return [];
    const [, name = '', labels = '', value = ''] = found;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key!, text!]);
    return [{ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) }];
  });
}

interface Rule {
  readonly metric: string;
  /** name of the alert in ops/prometheus/rules.yml and of its section in docs/runbook.md */
  readonly alert: string;
  readonly level: 'warn' | 'fail';
  isWrong(sample: Sample, all: readonly Sample[]): boolean;
  text(sample: Sample): string;
}

const DAY_S = 86_400;

/** Conditions of the alert rules that hold at one instant, without those that need the past. */
const RULES: readonly Rule[] = [
  {
    metric: 'fleetgate_spool_bytes',
    alert: 'FleetgateSpoolAlmostFull',
    level: 'fail',
    isWrong: ({ value }, all) => value > 0.8 * firstValue(all, 'fleetgate_spool_limit_bytes', Number.POSITIVE_INFINITY),
    text: ({ value }) =>
      `the spool has ${value} bytes, more than 80 % of its limit: then trackers are not acknowledged`,
  },
  {
    metric: 'fleetgate_spool_lag_seconds',
    alert: 'FleetgateSpoolLag',
    level: 'warn',
    isWrong: ({ value }) => value > 300,
    text: ({ value, labels }) => `target ${labels['target']} is ${Math.round(value)} s behind: positions arrive late`,
  },
  {
    metric: 'fleetgate_spool_set_aside',
    alert: 'FleetgateRecordsRejected',
    level: 'warn',
    isWrong: ({ value }) => value > 0,
    text: ({ value, labels }) => `target ${labels['target']} has rejected ${value} records; they are kept`,
  },
  {
    metric: 'fleetgate_spool_set_aside_full',
    alert: 'FleetgateSetAsideFull',
    level: 'fail',
    isWrong: ({ value }) => value === 1,
    text: ({ labels }) =>
      `nothing is sent to target ${labels['target']}: its set-aside records have reached their limit`,
  },
  {
    metric: 'fleetgate_downlink_streams',
    alert: 'FleetgateNoStreams',
    level: 'warn',
    isWrong: ({ value }) => value === 0,
    text: () => 'no gateway is connected to this process of the API: commands wait if it is the only one',
  },
  {
    metric: 'fleetgate_command_oldest_pending_seconds',
    alert: 'FleetgateCommandsPending',
    level: 'warn',
    isWrong: ({ value }) => value > 21_600,
    text: ({ value }) => `a command has waited for ${Math.round(value / 3600)} hours`,
  },
  {
    metric: 'fleetgate_command_queues_full',
    alert: 'FleetgateCommandQueuesFull',
    level: 'warn',
    isWrong: ({ value }) => value > 0,
    text: ({ value }) => `${value} devices take no further command: OPEN_COMMANDS is reached`,
  },
  {
    metric: 'fleetgate_queue_outbox',
    alert: 'FleetgateQueueOutboxGrows',
    level: 'warn',
    isWrong: ({ value }) => value > 10_000,
    text: ({ value }) => `${value} changes of commands have not reached the command queue`,
  },
  {
    metric: 'fleetgate_disk_free_bytes',
    alert: 'FleetgateDiskAlmostFull',
    level: 'fail',
    isWrong: ({ value }) => value < 2e9,
    text: ({ value }) => `${(value / 1e9).toFixed(1)} GB are free for DATA_DIR`,
  },
  {
    metric: 'fleetgate_database_connections',
    alert: 'FleetgateDatabasePoolExhausted',
    level: 'warn',
    isWrong: ({ value, labels }) => labels['state'] === 'waiting' && value > 0,
    text: ({ value, labels }) => `${value} requests wait for a connection of the pool ${labels['pool']}`,
  },
  {
    metric: 'fleetgate_rules_lag_seconds',
    alert: 'FleetgateRulesLag',
    level: 'warn',
    isWrong: ({ value }) => value > 300,
    text: ({ value }) => `rules are ${Math.round(value)} s behind: alarms come late`,
  },
  {
    metric: 'fleetgate_history_lag_days',
    alert: 'FleetgateHistoryLag',
    level: 'warn',
    isWrong: ({ value }) => value > 3,
    text: ({ value }) => `positions have been rows for ${value} days longer than HOT_DAYS`,
  },
  {
    metric: 'fleetgate_deliveries',
    alert: 'FleetgateDeliveriesFail',
    level: 'warn',
    isWrong: ({ value, labels }, all) => labels['state'] === 'failed' && value > 0.2 * sumOf(all, labels['channel']),
    text: ({ value, labels }) => `${value} messages by ${labels['channel']} of the last day have failed`,
  },
  {
    metric: 'fleetgate_stream_lag_seconds',
    alert: 'FleetgateStreamBehind',
    level: 'warn',
    isWrong: ({ value }) => value > 600,
    text: ({ value, labels }) => `the stream ${labels['stream']} is ${Math.round(value)} s behind`,
  },
  {
    metric: 'fleetgate_certificate_expires_seconds',
    alert: 'FleetgateCertificateExpires',
    level: 'fail',
    isWrong: ({ value }) => value - systemClock.now() / 1000 < 14 * DAY_S,
    text: ({ value, labels }) =>
      `the certificate of ${labels['setting']} is valid until ${new Date(value * 1000).toISOString()}`,
  },
];

export function judgeMetrics(samples: readonly Sample[]): Finding[] {
  const findings: Finding[] = [];
  for (const rule of RULES) {
    for (const sample of samples) {
      if (sample.name !== rule.metric || !rule.isWrong(sample, samples)) continue;
      const report = rule.level === 'warn' ? warn : fail;
      findings.push(report(rule.text(sample), `docs/runbook.md, ${rule.alert}`));
    }
  }
  if (findings.length === 0) return [ok(`its metrics are within the limits of ${RULES.length} alerts`)];
  return findings;
}

const firstValue = (all: readonly Sample[], name: string, otherwise: number): number =>
  all.find((sample) => sample.name === name)?.value ?? otherwise;

const sumOf = (all: readonly Sample[], channel: string | undefined): number =>
  all
    .filter(({ name, labels }) => name === 'fleetgate_deliveries' && labels['channel'] === channel)
    .reduce((sum, { value }) => sum + value, 0);
