import { answerOf, api, type Vehicle, whileAway } from './api.ts';
import { followEvents, type StreamState } from './event-stream.ts';
import type { StreamEvent } from './frames.ts';

export interface FleetSnapshot {
  readonly vehicles: readonly Vehicle[];
  readonly loaded: boolean;
  readonly problem: string | undefined;
  readonly stream: StreamState;
  /** when the stream was last known to be complete, epoch ms */
  readonly asOf: number;
}

const PAGE = 500;
/** Positions are shown together: the map and the list change at most this often. */
const SHOW_EVERY_MS = 1_000;

type Motion = NonNullable<Vehicle['motion']>;

/** The data of an event `position`. */
type ReportedPosition = NonNullable<Vehicle['lastPosition']> & {
  /** absent if the vehicle is stationary and its ignition unknown */
  readonly motion?: Motion;
};

const motionAfter = (vehicle: Vehicle, { motion }: ReportedPosition): Motion =>
  motion ?? (vehicle.motion === 'idle' ? 'idle' : 'parked');

const timeOf = (position: Vehicle['lastPosition']): string => position?.fixTime ?? position?.serverTime ?? '';

/** The vehicles of the caller with their newest positions, kept current by the event stream. */
export class Fleet {
  #byImei = new Map<string, Vehicle>();
  #vehicles = new Map<string, Vehicle>();
  #snapshot: FleetSnapshot = {
    vehicles: [],
    loaded: false,
    problem: undefined,
    stream: 'connecting',
    asOf: Date.now(),
  };
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: StreamEvent) => void>();
  /** positions that have arrived since each load that is under way began */
  readonly #loads = new Set<Set<StreamEvent>>();
  #timer: number | undefined;
  #nextLoad: number | undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): FleetSnapshot => this.#snapshot;

  onEvent(listener: (event: StreamEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /**
   * What is read before the stream is connected may be older than its first event, and a stream that had no event before
   * it was cut cannot continue after one: every connection begins with a gap, for which everything that is shown is read.
   */
  start(): () => void {
    const end = followEvents(
      (event) => this.#take(event),
      (stream) => {
        if (stream === 'connected') this.#take({ type: 'gap', data: undefined });
        else if (!this.#snapshot.loaded) void this.load();
        const asOf = stream === 'cut' && this.#snapshot.stream === 'connected' ? Date.now() : this.#snapshot.asOf;
        this.#show({ stream, asOf });
      },
    );
    return () => {
      window.clearTimeout(this.#nextLoad);
      end();
    };
  }

  readonly load = async (): Promise<void> => {
    // what is read may be older than a position that arrives meanwhile
    const meanwhile = new Set<StreamEvent>();
    window.clearTimeout(this.#nextLoad);
    this.#loads.add(meanwhile);
    try {
      const vehicles = new Map<string, Vehicle>();
      let cursor: string | undefined;
      do {
        const query = { include: 'lastPosition,driver', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
        const page = await answerOf(api.GET('/v1/vehicles', { params: { query } }));
        for (const vehicle of page.items) vehicles.set(vehicle.targa, vehicle);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      this.#vehicles = vehicles;
      this.#byImei = new Map([...vehicles.values()].flatMap((each) => (each.imei === null ? [] : [[each.imei, each]])));
      for (const { data } of meanwhile) this.#takePosition(data);
      this.#show({ vehicles: [...this.#vehicles.values()], loaded: true, problem: undefined });
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      this.#show({ problem: problem.message });
      const again = whileAway({ state: { error: problem } });
      // otherwise it is loaded when the stream is connected
      if (again !== false && this.#snapshot.stream === 'connected')
        this.#nextLoad = window.setTimeout(() => void this.load(), again);
    } finally {
      this.#loads.delete(meanwhile);
    }
  };

  #take(event: StreamEvent): void {
    if (event.type === 'gap') void this.load();
    if (event.type === 'position') {
      for (const load of this.#loads) load.add(event);
      this.#takePosition(event.data);
    }
    if (event.type === 'session') this.#takeSession(event.data);
    for (const listener of this.#eventListeners) listener(event);
  }

  #takePosition(position: ReportedPosition): void {
    const vehicle = this.#byImei.get(position.imei);
    if (vehicle === undefined || position.latitude === undefined || position.longitude === undefined) return;
    // records that come late do not replace newer ones
    if (!position.valid || timeOf(position) < timeOf(vehicle.lastPosition)) return;
    const motion = motionAfter(vehicle, position);
    this.#replace({ ...vehicle, lastPosition: position, motion, status: motion });
  }

  #takeSession({ imei, state }: { imei: string; state: string }): void {
    const vehicle = this.#byImei.get(imei);
    if (vehicle === undefined || vehicle.motion === null) return;
    if (state === 'offline') this.#replace({ ...vehicle, status: 'offline' });
    if (state === 'online') this.#replace({ ...vehicle, status: vehicle.motion });
  }

  #replace(vehicle: Vehicle): void {
    this.#vehicles.set(vehicle.targa, vehicle);
    if (vehicle.imei !== null) this.#byImei.set(vehicle.imei, vehicle);
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      this.#show({ vehicles: [...this.#vehicles.values()] });
    }, SHOW_EVERY_MS);
  }

  #show(change: Partial<FleetSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
