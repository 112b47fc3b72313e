import { randomBytes } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { GatewayContext, Limits } from './connection/context.ts';
import { Intake } from './connection/intake.ts';
import { Mirror, type MirrorSettings } from './connection/mirror.ts';
import { Counters } from './counters.ts';
import type { PortPlan } from './net/listeners.ts';
import { TcpPorts } from './net/tcp.ts';
import type { TlsSettings } from './net/tls.ts';
import { UdpPorts } from './net/udp.ts';
import type { DownlinkLine, Recorder, SessionRegistry } from './ports.ts';
import { Admission } from './sessions/admission.ts';
import { Deliveries } from './sessions/deliveries.ts';
import { DevicePolicy, type DevicePolicySettings, OPEN_POLICY } from './sessions/device-policy.ts';
import { RejectedLogins } from './sessions/rejected-logins.ts';
import { RemoteSessions } from './sessions/remote-sessions.ts';
import { Sessions } from './sessions/sessions.ts';
import { type UnadmittedFrameLimits, UnadmittedFrames } from './sessions/unadmitted-frames.ts';

export { Counters } from './counters.ts';
export { type PortPlan, planPorts } from './net/listeners.ts';
export type { TlsSettings } from './net/tls.ts';
export { EVENT, type OutboundRecord, PACKED, type Recorder, type SessionRegistry } from './ports.ts';

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

/** A device port that could not be opened. */
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

/** Ports, connections and sessions of devices. It is stopped in steps, between which spool and pushers are stopped. */
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
   * Reports the start of the gateway, and each second the time up to which its events have been reported: the API can
   * then distinguish a silent device from a gateway that is late.
   */
  #startClockReports(): void {
    this.#intake.report([{ type: 'gateway-started', at: this.#clock.now(), life: this.#startId }]);
    this.#ticking = setInterval(() => this.#intake.report([{ type: 'clock', at: this.#clock.now() }]), CLOCK_MS);
    this.#ticking.unref();
  }

  /** Opens every port. Rejects if one with a setting of its own cannot be opened. */
  async open(): Promise<void> {
    this.#startClockReports();
    for (const plan of this.#settings.ports) {
      const transports = new Set(plan.protocols.flatMap((p) => p.transports));
      let { port } = plan;
      for (const transport of ['tcp', 'udp'] as const) {
        if (!transports.has(transport)) continue;
        // there is no DTLS
        if (transport === 'udp' && this.#settings.tls?.required) continue;
        const ports = transport === 'tcp' ? this.#tcp : this.#udp;
        const protocols = plan.protocols.filter((p) => p.transports.includes(transport));
        try {
          // for port 0 the system chooses one for TCP; UDP uses the same
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

  /** Handles a line of the downlink; true if it concerns the gateway. */
  apply(line: DownlinkLine): boolean {
    if (line.type === 'taken-over') {
      this.#intake.report(this.#sessions.takenOver(line, this.#clock.now()));
      return true;
    }
    const isKnown = this.admission.apply(line) || this.#deliveries.apply(line);
    if (line.type === 'devices-refused') this.#intake.report(this.#sessions.refuse(line.imeis, this.#clock.now()));
    return isKnown;
  }

  stopAccepting(): void {
    this.#tcp.stopAccepting();
  }

  /**
   * Closes the connections over so many ms, those that are left with `close`. Devices are served until then, also by
   * datagrams. `wait` may return earlier than asked for: then the rest is left.
   */
  closeInWaves(ms: number, wait: (ms: number) => Promise<void>): Promise<void> {
    return this.#tcp.closeInWaves('gateway stops', ms, wait);
  }

  /** Stops reading; records already received are still stored and acknowledged. */
  stopReading(): void {
    this.#tcp.stopReading();
    this.#udp.stopReading();
  }

  /** Resolves when all received records are durable and acknowledged, or have failed. */
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
