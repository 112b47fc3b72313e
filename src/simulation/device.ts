import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import type { SimulatedFix, Simulator } from '#codec';
import type { Clock } from '../platform/clock.ts';

export type AnswerMode = 'ack' | 'refuse' | 'silent' | 'slow';

export interface SimulatedDeviceSettings {
  readonly id: string;
  readonly simulator: Simulator;
  readonly transport: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  readonly answer: AnswerMode;
  readonly slowAnswerMs: number;
}

export interface SimulatedDeviceEvents {
  /** the server has acknowledged the report (or the protocol has no acknowledgement and the bytes are sent) */
  acknowledged?(report: SentReport, latencyMs: number): void;
  command?(text: string): void;
  connected?(): void;
  admitted?(): void;
  refused?(): void;
  disconnected?(reason: string): void;
}

export interface SentReport {
  readonly fixes: readonly SimulatedFix[];
  readonly bytes: Uint8Array;
  sentAt: number;
}

const LATER_MS = 500;

/**
 * A tracker as the server sees one: logs in, reports, keeps a report until it is acknowledged, connects again when the
 * connection is lost and sends unacknowledged reports again, answers commands.
 */
export class SimulatedDevice {
  /** as the server sees it */
  readonly id: string;
  readonly #settings: SimulatedDeviceSettings;
  /** that of the transport */
  readonly #simulator: Simulator;
  readonly #events: SimulatedDeviceEvents;
  readonly #clock: Clock;
  readonly #outstanding: SentReport[] = [];
  #socket: Socket | undefined;
  #udp: UdpSocket | undefined;
  #buffer: Uint8Array = new Uint8Array(0);
  #serial = 0;
  #ready = false;
  #stopped = false;
  #reconnect: NodeJS.Timeout | undefined;

  constructor(settings: SimulatedDeviceSettings, events: SimulatedDeviceEvents, clock: Clock) {
    const { simulator, transport } = settings;
    this.#simulator = (transport === 'udp' ? simulator.datagrams : undefined) ?? simulator;
    this.id = this.#simulator.idOf?.(settings.id) ?? settings.id;
    this.#settings = settings;
    this.#events = events;
    this.#clock = clock;
  }

  get isReady(): boolean {
    return this.#ready;
  }

  /** reports that the server has not acknowledged */
  get outstanding(): number {
    return this.#outstanding.length;
  }

  start(): void {
    if (this.#settings.transport === 'udp') this.#openUdp();
    else this.#connect();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#reconnect);
    this.#socket?.destroy();
    this.#udp?.close();
    this.#udp = undefined;
  }

  /** Drops the connection without closing it, as a lost radio link would; the device reconnects by itself. */
  dropConnection(): void {
    this.#socket?.resetAndDestroy();
  }

  /** Sends a report now, or as soon as the device is connected. */
  report(fixes: readonly SimulatedFix[]): void {
    const bytes = this.#simulator.report(fixes, this.id, this.#nextSerial());
    const report: SentReport = { fixes, bytes, sentAt: this.#clock.monotonic() };
    const isAcknowledged = this.#simulator.acknowledges ?? true;
    if (isAcknowledged) this.#outstanding.push(report);
    if (this.#ready) this.#send(bytes);
    if (!isAcknowledged && this.#ready) this.#events.acknowledged?.(report, 0);
  }

  #connect(): void {
    const { host, port } = this.#settings;
    const socket = connect({ host, port, noDelay: true });
    this.#socket = socket;
    let reason = 'closed by the server';
    socket.on('connect', () => {
      this.#events.connected?.();
      this.#buffer = new Uint8Array(0);
      const login = this.#simulator.login?.(this.id, this.#nextSerial());
      if (login === undefined) this.#becomeReady();
      else socket.write(login);
    });
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => {
      this.#ready = false;
      this.#events.disconnected?.(reason);
      if (!this.#stopped) this.#reconnect = setTimeout(() => this.#connect(), LATER_MS * (0.5 + Math.random()));
    });
  }

  #openUdp(): void {
    const socket = createSocket('udp4');
    this.#udp = socket;
    socket.on('message', (bytes) => this.#receive(bytes));
    socket.on('error', () => {});
    socket.connect(this.#settings.port, this.#settings.host, () => {
      this.#events.connected?.();
      const login = this.#simulator.login?.(this.id, this.#nextSerial());
      if (login === undefined) this.#becomeReady();
      else socket.send(login);
    });
  }

  #becomeReady(): void {
    this.#ready = true;
    // before a listener adds reports of its own, which would be sent twice
    for (const report of this.#outstanding) this.#send(report.bytes);
    this.#events.admitted?.();
  }

  #send(bytes: Uint8Array): void {
    if (this.#udp !== undefined) this.#udp.send(bytes);
    else this.#socket?.write(bytes);
  }

  #receive(chunk: Uint8Array): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk]);
    while (this.#buffer.length > 0) {
      const read = this.#simulator.read(this.#buffer);
      if (read === undefined) return;
      const { bytes, message: says } = read;
      this.#buffer = this.#buffer.subarray(bytes);
      if (says.type === 'acknowledged') this.#acknowledged(says.reports);
      else if (says.type === 'admitted') this.#becomeReady();
      else if (says.type === 'refused') this.#events.refused?.();
      else if (says.type === 'command') this.#answer(says.text, says.frame);
    }
  }

  #acknowledged(reports: number): void {
    const now = this.#clock.monotonic();
    for (const report of this.#outstanding.splice(0, reports)) this.#events.acknowledged?.(report, now - report.sentAt);
  }

  #answer(text: string, frame: Uint8Array): void {
    this.#events.command?.(text);
    const { answer, slowAnswerMs } = this.#settings;
    if (answer === 'silent' || this.#simulator.answer === undefined) return;
    const bytes = this.#simulator.answer(frame, answer === 'refuse' ? 'refused' : 'done', this.id, this.#nextSerial());
    if (answer === 'slow') setTimeout(() => this.#send(bytes), slowAnswerMs).unref();
    else this.#send(bytes);
  }

  #nextSerial(): number {
    this.#serial = (this.#serial % 0xffff) + 1;
    return this.#serial;
  }
}
