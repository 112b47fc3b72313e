import { Counter, Gauge, Registry } from 'prom-client';
import type { Pusher, Spool } from '../delivery/index.ts';
import type { Gateway } from '../gateway/index.ts';

/** The gateway's metrics: plain numbers of its parts, read when they are asked for. No label holds a device id. */
export function gatewayMetrics(gateway: Gateway, spool: Spool, pushers: readonly Pusher[]): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'fleetgate_connections',
    help: 'open device connections',
    labelNames: ['protocol'],
    registers,
    collect() {
      for (const [protocol, counters] of gateway.counters.entries()) this.set({ protocol }, counters.connections);
    },
  });
  new Gauge({
    name: 'fleetgate_devices_online',
    help: 'devices with a session',
    registers,
    collect() {
      this.set(gateway.onlineDevices);
    },
  });
  new Counter({
    name: 'fleetgate_frames_total',
    help: 'frames by what became of them',
    labelNames: ['protocol', 'result'],
    registers,
    collect() {
      this.reset();
      for (const [protocol, { decoded, undecoded, badChecksum }] of gateway.counters.entries()) {
        this.inc({ protocol, result: 'decoded' }, decoded);
        this.inc({ protocol, result: 'undecoded' }, undecoded);
        this.inc({ protocol, result: 'bad-checksum' }, badChecksum);
      }
    },
  });
  new Counter({
    name: 'fleetgate_skipped_bytes_total',
    help: 'bytes that began no frame',
    labelNames: ['protocol'],
    registers,
    collect() {
      this.reset();
      for (const [protocol, { skippedBytes }] of gateway.counters.entries()) this.inc({ protocol }, skippedBytes);
    },
  });
  new Counter({
    name: 'fleetgate_positions_acknowledged_total',
    help: 'positions that are safe and whose device has been told so',
    registers,
    collect() {
      this.reset();
      for (const [, { acknowledged }] of gateway.counters.entries()) this.inc(acknowledged);
    },
  });
  new Gauge({
    name: 'fleetgate_spool_bytes',
    help: 'bytes of the spool on disk',
    registers,
    collect() {
      this.set(spool.stats().bytes);
    },
  });
  new Gauge({
    name: 'fleetgate_spool_lag_seconds',
    help: 'age of the oldest record that the target has not settled',
    labelNames: ['target'],
    registers,
    collect() {
      for (const pusher of pushers) {
        const { target, lagSeconds } = pusher.status();
        this.set({ target }, lagSeconds);
      }
    },
  });
  new Gauge({
    name: 'fleetgate_spool_set_aside',
    help: 'records that the target refused, waiting for an operator',
    labelNames: ['target'],
    registers,
    collect() {
      for (const pusher of pushers) {
        const { target, setAside } = pusher.status();
        this.set({ target }, setAside);
      }
    },
  });
  return registry;
}
