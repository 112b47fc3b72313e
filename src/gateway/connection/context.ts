import { type DeviceOptions, Driver, type StreamProtocol } from '#codec';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Counters } from '../counters.ts';
import type { Recorder } from '../ports.ts';
import type { Admission } from '../sessions/admission.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Intake } from './intake.ts';
import type { Mirror } from './mirror.ts';

/** Bounds of the gateway; each a setting. */
export interface Limits {
  readonly maxConnections: number;
  readonly maxUnidentifiedPerAddress: number;
  readonly identifyTimeoutMs: number;
  /** for a PROXY header, and for a TLS handshake from its first byte */
  readonly handshakeTimeoutMs: number;
  /** for an HTTP request, head and body, from its first byte */
  readonly requestTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly udpOnlineMs: number;
  /** bytes between two frames that belong to no frame */
  readonly maxJunkBytes: number;
  /** frames that one connection processes before others are served */
  readonly framesPerSlice: number;
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
  /** second server that receives a copy of the bytes of devices */
  readonly mirror: Mirror | undefined;
  /** services whose devices may send wrong checksums; `all` */
  readonly lenientServices: ReadonlySet<string>;
  /** a new id for a connection, unique across restarts of this gateway */
  nextId(): string;
}

const NO_OPTIONS: DeviceOptions = Object.freeze({});
const LENIENT: DeviceOptions = Object.freeze({ lenientChecksum: true });

/** A driver of a connection: it reads its device's options and reports bugs of codecs. */
export function newDriver(
  protocol: StreamProtocol,
  context: GatewayContext,
  transport: 'tcp' | 'udp',
): Driver<unknown> {
  const { admission, lenientServices, limits, log } = context;
  const isLenient = lenientServices.has(protocol.service) || lenientServices.has('all');
  const options = isLenient ? LENIENT : NO_OPTIONS;
  const optionsFor = (ids: readonly string[]): DeviceOptions => admission.optionsOf(ids);
  return new Driver(protocol, {
    transport,
    options,
    // datagrams are processed at once: they are small, and the peer is only known during the call
    ...(transport === 'tcp' ? { stepsPerPush: limits.framesPerSlice } : {}),
    optionsFor: isLenient ? withDefaults(options, optionsFor) : optionsFor,
    onBug: (error) => log.error({ err: error }, 'bug in a codec; its frame is kept raw'),
  });
}

/** Options of the port overridden by those of the device; the same object until the device options change. */
function withDefaults(defaults: DeviceOptions, optionsFor: (ids: readonly string[]) => DeviceOptions) {
  let own: DeviceOptions | undefined;
  let merged = defaults;
  return (ids: readonly string[]): DeviceOptions => {
    const options = optionsFor(ids);
    if (options !== own) merged = Object.freeze({ ...defaults, ...options });
    own = options;
    return merged;
  };
}
