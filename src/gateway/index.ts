import { randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Admission } from './admission.ts';
import type { GatewayContext, Limits } from './context.ts';
import { Counters } from './counters.ts';
import { Deliveries } from './deliveries.ts';
import { DevicePolicy, type DevicePolicySettings, OPEN_POLICY } from './device-policy.ts';
import { Intake } from './intake.ts';
import type { PortPlan } from './listeners.ts';
import { Mirror, type MirrorSettings } from './mirror.ts';
import type { DownlinkLine, Recorder, SessionRegistry } from './ports.ts';
import { RejectedLogins } from './rejected-logins.ts';
import { RemoteSessions } from './remote-sessions.ts';
import { Sessions } from './sessions.ts';
import { TcpPorts } from './tcp.ts';
import type { TlsSettings } from './tls.ts';
import { UdpPorts } from './udp.ts';
import { type UnadmittedFrameLimits, UnadmittedFrames } from './unadmitted-frames.ts';

export { Counters } from './counters.ts';
export { type PortPlan, planPorts } from './listeners.ts';
export { EVENT, type OutboundRecord, PACKED, type Recorder, type SessionRegistry } from './ports.ts';
export type { TlsSettings } from './tls.ts';

const CLOCK_MS = 1_000;
const DEFAULT_SAMPLE: UnadmittedFrameLimits = { total: 500, perAddress: 5 };

export interface GatewaySettings {
  readonly host: string;
  readonly ports: readonly PortPlan[];
  readonly limits: Limits;
  readonly autoRegister: boolean;
  readonly proxyProtocol: boolean;
  /** another server that gets the bytes of each device */
  readonly mirror?: MirrorSettings;
  /** services whose devices may send wrong checksums; `all` */
  readonly lenientServices?: readonly string[];
  readonly tls?: TlsSettings;
  readonly devicePolicy?: DevicePolicySettings;
  /** different device ids of a client whose login is rejected in an hour; 0: no limit */
  readonly loginAttemptsPerAddress?: number;
  readonly unadmittedFrames?: UnadmittedFrameLimits;
  /** sessions of other gateways; absent: this gateway is the only one */
  readonly registry?: SessionRegistry;
}

export interface OpenPort {
  readonly name: string;
  readonly transport: 'tcp' | 'udp';
  readonly port: number;
}

/** A device port that was to be open and is not. */
export interface PortProblem extends OpenPort {
  readonly reason: string;
}

export interface OnlineDevice {
  readonly conn: string;
  readonly imei: string;
  readonly protocol: string;
  readonly transport: 'tcp' | 'udp' | 'http';
  readonly remote: string;
  readonly since: number;
}

/** The device side of Fleetgate: ports, connections, sessions. Stopping it has steps, since others stop between. */
export class Gateway {
  readonly counters = new Counters();
  readonly admission: Admission;
  readonly unadmittedFrames: UnadmittedFrames;
  readonly #settings: GatewaySettings;
  readonly #log: Log;
  readonly #sessions: Sessions;
  readonly #tcp: TcpPorts;
  readonly #udp: UdpPorts;
  readonly #intake: Intake;
  readonly #deliveries: Deliveries;
  readonly #startId: string;
  readonly #clock: Clock;
  #ticking: NodeJS.Timeout | undefined;
  readonly openPorts: OpenPort[] = [];
  readonly problems: PortProblem[] = [];

  constructor(settings: GatewaySettings, recorder: Recorder, clock: Clock, log: Log) {
    this.#settings = settings;
    this.#log = log;
    this.admission = new Admission(settings.autoRegister);
    this.unadmittedFrames = new UnadmittedFrames(settings.unadmittedFrames ?? DEFAULT_SAMPLE);
    const services = new Map(settings.ports.flatMap(({ protocols }) => protocols.map((p) => [p.id, p.service])));
    this.#sessions = new Sessions(
      this.admission,
      new DevicePolicy(settings.devicePolicy ?? OPEN_POLICY, (protocol) => services.get(protocol)),
      new RejectedLogins(settings.loginAttemptsPerAddress ?? 0),
      ({ remote }) => log.warn({ remote }, 'LOGIN_ATTEMPTS_PER_ADDRESS reached, logins are not answered for an hour'),
      settings.registry && new RemoteSessions(settings.registry, clock.now, log),
    );
    this.#intake = new Intake(this.#sessions, recorder, this.counters.of, log, this.unadmittedFrames);
    this.#deliveries = new Deliveries(this.#sessions, recorder, clock, log);
    const startId = randomBytes(6).toString('base64url');
    this.#startId = startId;
    this.#clock = clock;
    let connections = 0;
    const context: GatewayContext = {
      clock,
      log,
      limits: settings.limits,
      admission: this.admission,
      sessions: this.#sessions,
      intake: this.#intake,
      recorder,
      counters: this.counters,
      proxyProtocol: settings.proxyProtocol,
      mirror: this.#createMirror(),
      lenientServices: new Set(settings.lenientServices),
      nextId: () => `${startId}.${(++connections).toString(36)}`,
    };
    this.#tcp = new TcpPorts(context, settings.tls);
    this.#udp = new UdpPorts(context);
  }

  #createMirror(): Mirror | undefined {
    const { mirror, ports } = this.#settings;
    if (mirror === undefined) return undefined;
    const defaults = new Map(ports.flatMap(({ protocols }) => protocols.map(({ id, port }) => [id, port])));
    return new Mirror(mirror, (protocol) => defaults.get(protocol), this.#clock, this.#log);
  }

  /**
   * Reports the start of the gateway, and each second the time up to which events have been reported: so the API knows
   * whether a silence is the device's.
   */
  #startClockReports(): void {
    this.#intake.report([{ type: 'gateway-started', at: this.#clock.now(), life: this.#startId }]);
    this.#ticking = setInterval(() => this.#intake.report([{ type: 'clock', at: this.#clock.now() }]), CLOCK_MS);
    this.#ticking.unref();
  }

  /** Opens every port. Rejects when one that was asked for by name cannot be had. */
  async open(): Promise<void> {
    this.#startClockReports();
    for (const plan of this.#settings.ports) {
      const transports = new Set(plan.protocols.flatMap((p) => p.transports));
      let { port } = plan;
      for (const transport of ['tcp', 'udp'] as const) {
        if (!transports.has(transport)) continue;
        // A datagram cannot be encrypted here.
        if (transport === 'udp' && this.#settings.tls?.required) continue;
        const ports = transport === 'tcp' ? this.#tcp : this.#udp;
        const protocols = plan.protocols.filter((p) => p.transports.includes(transport));
        try {
          // Port 0 asks for any: both transports then get the same.
          port = await ports.listen(this.#settings.host, port, protocols);
          this.openPorts.push({ name: plan.name, transport, port });
        } catch (error) {
          const reason = (error as Error).message;
          if (plan.isRequired) throw new Error(`device port ${plan.name} (${transport} ${port}): ${reason}`);
          this.problems.push({ name: plan.name, transport, port, reason });
          this.#log.warn({ service: plan.name, transport, port, reason }, 'default port not opened');
        }
      }
    }
  }

  get connections(): number {
    return this.#tcp.connections + this.#udp.peers;
  }

  get onlineDevices(): number {
    return this.#sessions.size;
  }

  *online(): Iterable<OnlineDevice> {
    for (const { imei, link } of this.#sessions.open()) {
      const { id, protocol, transport, remote, openedAt } = link;
      yield { conn: id, imei, protocol, transport, remote, since: openedAt };
    }
  }

  /** Takes a line of the downlink; true when it was for the gateway. */
  apply(line: DownlinkLine): boolean {
    if (line.type === 'taken-over') {
      this.#intake.report(this.#sessions.takenOver(line, this.#clock.now()));
      return true;
    }
    return this.admission.apply(line) || this.#deliveries.apply(line);
  }

  stopAccepting(): void {
    this.#tcp.stopAccepting();
  }

  /** What has been read is still made safe and acknowledged; nothing more is read. */
  stopReading(): void {
    this.#tcp.stopReading();
    this.#udp.stopReading();
  }

  /** Resolves when all that was read is safe and acknowledged, or known not to be. */
  idle(): Promise<void> {
    return this.#intake.idle();
  }

  /** Ends connections, each after its last acknowledgement. */
  async close(withinMs: number): Promise<void> {
    clearInterval(this.#ticking);
    await this.#tcp.closeAll('gateway stops', withinMs);
    this.#udp.close();
  }
}
