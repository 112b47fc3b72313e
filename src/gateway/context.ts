import type { DeviceOptions } from '#codec';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Admission } from './admission.ts';
import type { Counters } from './counters.ts';
import type { Intake } from './intake.ts';
import type { Recorder } from './ports.ts';
import type { Sessions } from './sessions.ts';

/** Bounds of the gateway; each a setting. */
export interface Limits {
  readonly maxConnections: number;
  readonly maxUnidentifiedPerAddress: number;
  readonly identifyTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly udpOnlineMs: number;
}

/** What every connection of one gateway shares. */
export interface GatewayContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  readonly admission: Admission;
  readonly sessions: Sessions;
  readonly intake: Intake;
  readonly recorder: Recorder;
  readonly counters: Counters;
  readonly proxyProtocol: boolean;
  /** a new id for a connection: unique among all of this gateway's lives */
  nextId(): string;
}

/** How a driver asks for a device's options and tells of a codec's bug. */
export function driverHooks(context: GatewayContext): {
  optionsFor(ids: readonly string[]): DeviceOptions;
  onBug(error: unknown): void;
} {
  return {
    optionsFor: (ids) => context.admission.optionsOf(ids),
    onBug: (error) => context.log.error({ err: error }, 'bug in a codec; its frame is kept raw'),
  };
}
