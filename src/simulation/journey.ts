import type { SimulatedFix } from '#codec';

/** A drive around Rome that never repeats a fix: one circle per device, one step per second of its own time. */
export class Journey {
  readonly #device: number;
  #time: number;

  /** @param startAt epoch ms of the first fix, whole seconds */
  constructor(device: number, startAt: number) {
    this.#device = device;
    this.#time = startAt;
  }

  next(): SimulatedFix {
    const step = Math.floor(this.#time / 1000);
    const angle = ((step % 3600) / 3600) * 2 * Math.PI;
    const radius = 0.02 + (this.#device % 100) / 1000;
    const fix: SimulatedFix = {
      time: this.#time,
      latitude: round(41.9 + radius * Math.sin(angle)),
      longitude: round(12.5 + radius * Math.cos(angle)),
      speed: 30 + (step % 60),
      course: (360 + 90 - Math.round((angle * 180) / Math.PI)) % 360,
      ignition: true,
    };
    this.#time += 1000;
    return fix;
  }

  take(count: number): SimulatedFix[] {
    return Array.from({ length: count }, () => this.next());
  }
}

const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
