import { luhnDigit, type Simulator } from '#codec';
import type { Clock } from '../platform/clock.ts';
import { type AnswerMode, SimulatedDevice } from './device.ts';
import { Journey } from './journey.ts';
import { Percentiles } from './percentiles.ts';

export interface FleetSettings {
  readonly simulator: Simulator;
  readonly transport: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  readonly devices: number;
  /** reports per second, all devices together; 0: as fast as acknowledgements arrive */
  readonly rate: number;
  readonly fixesPerReport: number;
  readonly answer: AnswerMode;
  readonly slowAnswerMs: number;
  /** number of the first device; ids are IMEIs made from it */
  readonly firstDevice: number;
  /** epoch ms of the first fix */
  readonly startAt: number;
}

export interface FleetFigures {
  connected: number;
  ready: number;
  refused: number;
  sentReports: number;
  sentFixes: number;
  acknowledgedReports: number;
  acknowledgedFixes: number;
  commands: number;
  disconnects: number;
}

/** A fictitious IMEI: TAC of test equipment, the device's number, check digit. */
export function simulatedImei(number: number): string {
  const digits = `35000${String(number).padStart(9, '0')}`.slice(0, 14);
  return digits + luhnDigit(digits);
}

/** Many simulated devices at once. */
export class Fleet {
  readonly figures: FleetFigures = {
    connected: 0,
    ready: 0,
    refused: 0,
    sentReports: 0,
    sentFixes: 0,
    acknowledgedReports: 0,
    acknowledgedFixes: 0,
    commands: 0,
    disconnects: 0,
  };
  readonly latency = new Percentiles();
  readonly devices: readonly SimulatedDevice[];
  readonly #journeys: readonly Journey[];
  readonly #settings: FleetSettings;
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | undefined;
  #running = false;
  #next = 0;

  constructor(settings: FleetSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    const { devices, firstDevice, startAt } = settings;
    this.#journeys = Array.from({ length: devices }, (_, i) => new Journey(firstDevice + i, startAt));
    this.devices = Array.from({ length: devices }, (_, i) => this.#device(i));
  }

  start(): void {
    for (const device of this.devices) device.start();
    this.#running = true;
    const { rate } = this.#settings;
    if (rate === 0) return;
    let due = 0;
    let last = this.#clock.monotonic();
    this.#timer = setInterval(() => {
      const now = this.#clock.monotonic();
      due = Math.min(due + ((now - last) / 1000) * rate, rate);
      last = now;
      for (; due >= 1; due--) this.#reportNext();
    }, 5);
  }

  /** No more reports; devices stay connected and acknowledgements still count. */
  pause(): void {
    this.#running = false;
    clearInterval(this.#timer);
  }

  stop(): void {
    this.pause();
    for (const device of this.devices) device.stop();
  }

  get outstanding(): number {
    return this.devices.reduce((total, device) => total + device.outstanding, 0);
  }

  #device(index: number): SimulatedDevice {
    const { figures, latency } = this;
    const id = simulatedImei(this.#settings.firstDevice + index);
    const device: SimulatedDevice = new SimulatedDevice(
      { ...this.#settings, id },
      {
        connected: () => figures.connected++,
        admitted: () => {
          figures.ready++;
          if (this.#settings.rate === 0 && this.#running && device.outstanding === 0) this.#report(index);
        },
        refused: () => figures.refused++,
        disconnected: () => figures.disconnects++,
        command: () => figures.commands++,
        acknowledged: (report, latencyMs) => {
          figures.acknowledgedReports++;
          figures.acknowledgedFixes += report.fixes.length;
          latency.add(latencyMs);
          if (this.#settings.rate === 0 && this.#running) this.#report(index);
        },
      },
      this.#clock,
    );
    return device;
  }

  #reportNext(): void {
    const index = this.#next;
    this.#next = (this.#next + 1) % this.devices.length;
    this.#report(index);
  }

  #report(index: number): void {
    const fixes = this.#journeys[index]!.take(this.#settings.fixesPerReport);
    this.figures.sentReports++;
    this.figures.sentFixes += fixes.length;
    this.devices[index]!.report(fixes);
  }
}
