import { Counter, Gauge, Registry } from 'prom-client';
import type { Gateway } from '../gateway/index.ts';
import type { Pusher } from '../gateway/pusher/index.ts';
import type { Spool } from '../gateway/spool/index.ts';

type Sample = readonly [labels: Record<string, string>, value: number];

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels?: readonly string[];
  /** read on a scrape; the hot path increments plain numbers */
  readonly samples: () => Iterable<Sample>;
}

/** The gateway's metrics. No label holds a device id. */
export function gatewayMetrics(gateway: Gateway, spool: Spool, pushers: readonly Pusher[]): Registry {
  const registry = new Registry();
  for (const metric of [...trafficMetrics(gateway), ...spoolMetrics(spool, pushers)]) register(registry, metric);
  return registry;
}

function register(registry: Registry, { name, help, type, labels = [], samples }: Metric): void {
  const common = { name, help, labelNames: labels, registers: [registry] };
  if (type === 'gauge') {
    new Gauge({
      ...common,
      collect() {
        for (const [given, value] of samples()) this.set(given, value);
      },
    });
    return;
  }
  new Counter({
    ...common,
    collect() {
      this.reset();
      for (const [given, value] of samples()) this.inc(given, value);
    },
  });
}

const trafficMetrics = (gateway: Gateway): Metric[] => {
  const counters = () => [...gateway.counters.entries()];
  return [
    {
      name: 'fleetgate_connections',
      help: 'open device connections',
      type: 'gauge',
      labels: ['protocol'],
      samples: () => counters().map(([protocol, { connections }]) => [{ protocol }, connections]),
    },
    {
      name: 'fleetgate_devices_online',
      help: 'devices with a session',
      type: 'gauge',
      samples: () => [[{}, gateway.onlineDevices]],
    },
    {
      name: 'fleetgate_frames_total',
      help: 'frames by what became of them',
      type: 'counter',
      labels: ['protocol', 'result'],
      samples: () =>
        counters().flatMap(([protocol, { decoded, undecoded, badChecksum }]): Sample[] => [
          [{ protocol, result: 'decoded' }, decoded],
          [{ protocol, result: 'undecoded' }, undecoded],
          [{ protocol, result: 'bad-checksum' }, badChecksum],
        ]),
    },
    {
      name: 'fleetgate_skipped_bytes_total',
      help: 'bytes that began no frame',
      type: 'counter',
      labels: ['protocol'],
      samples: () => counters().map(([protocol, { skippedBytes }]) => [{ protocol }, skippedBytes]),
    },
    {
      name: 'fleetgate_positions_acknowledged_total',
      help: 'positions that are stored and acknowledged to their device',
      type: 'counter',
      samples: () => [[{}, counters().reduce((sum, [, { acknowledged }]) => sum + acknowledged, 0)]],
    },
  ];
};

const spoolMetrics = (spool: Spool, pushers: readonly Pusher[]): Metric[] => [
  {
    name: 'fleetgate_spool_bytes',
    help: 'bytes of the spool on disk',
    type: 'gauge',
    samples: () => [[{}, spool.stats().bytes]],
  },
  {
    name: 'fleetgate_spool_limit_bytes',
    help: 'bytes that the spool may come to',
    type: 'gauge',
    samples: () => [[{}, spool.stats().maxBytes]],
  },
  {
    name: 'fleetgate_spool_lag_seconds',
    help: 'age of the oldest record that the target has not settled',
    type: 'gauge',
    labels: ['target'],
    samples: () => pushers.map((pusher) => [{ target: pusher.target }, pusher.status().lagSeconds]),
  },
  {
    name: 'fleetgate_spool_set_aside',
    help: 'records that the target refused, waiting for an operator',
    type: 'gauge',
    labels: ['target'],
    samples: () => pushers.map((pusher) => [{ target: pusher.target }, pusher.status().setAside]),
  },
  {
    name: 'fleetgate_spool_set_aside_bytes',
    help: 'bytes on disk of the records that the target refused',
    type: 'gauge',
    labels: ['target'],
    samples: () => spool.targets.map((target) => [{ target }, spool.setAside(target).bytes]),
  },
  {
    name: 'fleetgate_spool_set_aside_full',
    help: '1 while nothing is sent to the target because the records that it refused have reached their limit',
    type: 'gauge',
    labels: ['target'],
    samples: () => spool.targets.map((target) => [{ target }, spool.setAside(target).isFull ? 1 : 0]),
  },
  {
    name: 'fleetgate_spool_missing_records_total',
    help: 'sequence numbers found without a record in the spool: their write had failed before a restart, or they are lost',
    type: 'counter',
    labels: ['target'],
    samples: () => Object.entries(spool.stats().missing).map(([target, count]) => [{ target }, count]),
  },
];
