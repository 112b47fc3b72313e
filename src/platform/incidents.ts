import type { Clock } from './clock.ts';

export interface IncidentSettings {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** an incident is over when it has not been reported for so long */
  readonly quietMs: number;
  /** one that goes on is reported again after so long */
  readonly repeatMs: number;
  /** open incidents that are told apart; further ones are reported each time */
  readonly maxOpen: number;
  /** `count` reports of an incident, the first included, within so many seconds */
  onOver(signature: string, count: number, seconds: number): void;
}

interface Incident {
  readonly since: number;
  lastAt: number;
  loggedAt: number;
  count: number;
  timer: NodeJS.Timeout;
}

/**
 * Tells the first report of a trouble from its repetitions: a database that is away for two minutes is one line and its
 * end, instead of hundreds.
 */
export class Incidents {
  readonly #settings: IncidentSettings;
  readonly #open = new Map<string, Incident>();

  constructor(settings: IncidentSettings) {
    this.#settings = settings;
  }

  /** The number of reports so far if this one is to be written; undefined if it is only counted. */
  take(signature: string): number | undefined {
    const { clock, quietMs, repeatMs, maxOpen } = this.#settings;
    const now = clock.monotonic();
    const known = this.#open.get(signature);
    if (known === undefined) {
      if (this.#open.size >= maxOpen) return 1;
      const timer = setTimeout(() => this.#look(signature), quietMs).unref();
      this.#open.set(signature, { since: now, lastAt: now, loggedAt: now, count: 1, timer });
      return 1;
    }
    known.count++;
    known.lastAt = now;
    if (now - known.loggedAt < repeatMs) return undefined;
    known.loggedAt = now;
    return known.count;
  }

  /** Ends all incidents now, before the process does. */
  close(): void {
    for (const signature of this.#open.keys()) this.#end(signature);
  }

  #look(signature: string): void {
    const { clock, quietMs } = this.#settings;
    const incident = this.#open.get(signature);
    if (incident === undefined) return;
    const left = incident.lastAt + quietMs - clock.monotonic();
    if (left <= 0) this.#end(signature);
    else incident.timer = setTimeout(() => this.#look(signature), left).unref();
  }

  #end(signature: string): void {
    const incident = this.#open.get(signature)!;
    clearTimeout(incident.timer);
    this.#open.delete(signature);
    // one report needs no count
    if (incident.count > 1) {
      this.#settings.onOver(signature, incident.count, Math.round((incident.lastAt - incident.since) / 1000));
    }
  }
}
