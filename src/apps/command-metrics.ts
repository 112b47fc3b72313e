import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Clock } from '../platform/clock.ts';
import type { Samples } from '../platform/samples.ts';
import { readCommandCounts, type Step } from '../server/commands/dispatch/index.ts';
import type { Database } from '../server/database/index.ts';

const STATES = ['pending', 'sending', 'sent', 'acknowledged', 'failed', 'expired', 'unknown', 'cancelled'] as const;
const WIRE_S = [0.002, 0.004, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3_600, 86_400];
const ANSWER_S = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const ATTEMPTS = [1, 2, 3, 5, 10];

interface CountsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly samples: Samples;
  /** OPEN_COMMANDS */
  readonly openCommands: number;
}

/** Metrics of commands. Counts are read on a scrape and cached. */
export function addCommandMetrics(
  registry: Registry,
  deps: CountsDeps & { readonly streams: () => readonly string[] },
): { readonly watch: (steps: readonly Step[]) => void } {
  const registers = [registry];
  addCounts(registry, deps);
  new Gauge({
    name: 'fleetgate_downlink_streams',
    help: 'gateways whose streams this process holds',
    registers,
    collect() {
      this.set(deps.streams().length);
    },
  });
  const wire = new Histogram({
    name: 'fleetgate_command_wire_seconds',
    help: 'from enqueuing a command to its first bytes on the wire',
    buckets: WIRE_S,
    registers,
  });
  const answer = new Histogram({
    name: 'fleetgate_command_answer_seconds',
    help: 'from the bytes on the wire to the answer of the device',
    buckets: ANSWER_S,
    registers,
  });
  const attempts = new Histogram({
    name: 'fleetgate_command_attempts',
    help: 'attempts of the commands that gateways report as ended',
    buckets: ATTEMPTS,
    registers,
  });
  return {
    watch(steps) {
      for (const { before, after } of steps) {
        if (after.sentAt !== null && before.sentAt === null) wire.observe(seconds(after.createdAt, after.sentAt));
        const isAnswered = after.acknowledgedAt !== null && before.acknowledgedAt === null && after.ackBy === 'device';
        if (isAnswered && after.sentAt !== null) answer.observe(seconds(after.sentAt, after.acknowledgedAt));
        if (after.endedAt !== null && before.endedAt === null) attempts.observe(after.attempts);
      }
    },
  };
}

/** Two clocks are at work: what seems to run backwards took no time. */
const seconds = (from: number, to: number): number => Math.max(0, to - from) / 1_000;

function addCounts(registry: Registry, { database, clock, samples, openCommands }: CountsDeps): void {
  const current = samples(() => readCommandCounts(database.ingest, openCommands));
  const registers = [registry];
  new Gauge({
    name: 'fleetgate_commands',
    help: 'commands by state',
    labelNames: ['state'],
    registers,
    async collect() {
      const states = (await current())?.states;
      if (states === undefined) return;
      for (const state of STATES) this.set({ state }, states.find((one) => one.state === state)?.count ?? 0);
    },
  });
  new Gauge({
    name: 'fleetgate_command_oldest_pending_seconds',
    help: 'age of the oldest command that has not been sent; 0 if all are sent',
    registers,
    async collect() {
      const at = (await current())?.oldestPendingAt ?? null;
      this.set(at === null ? 0 : seconds(at, clock.now()));
    },
  });
  new Gauge({
    name: 'fleetgate_command_queues_full',
    help: 'devices with OPEN_COMMANDS open commands: further ones are refused',
    registers,
    async collect() {
      this.set((await current())?.fullQueues ?? 0);
    },
  });
  new Gauge({
    name: 'fleetgate_queue_outbox',
    help: 'changes of commands that are not in the queue yet',
    registers,
    async collect() {
      this.set((await current())?.outbox ?? 0);
    },
  });
}
