import type { ServerResponse } from 'node:http';
import { compare, type Place } from '../../ingest/feed/index.ts';
import { type EventType, frameOf, idOf, type LiveEvent, type Resume } from './event.ts';
import type { DeviceIdentity, SeenVehicles } from './store.ts';

/** The permissions and filters of a client. */
export interface View {
  readonly tenantId: number;
  /** undefined if the credential is an API key */
  readonly userId: string | undefined;
  readonly types: ReadonlySet<EventType>;
  /** ids of vehicles that the user may see; `all` includes devices without a vehicle */
  vehicles: SeenVehicles;
  /** filter by normalised plate or device id; undefined: all */
  readonly only: ReadonlySet<string> | undefined;
}

/** Whether the view may see the device and its filter selects it. */
export function sees(view: View, device: DeviceIdentity): boolean {
  if (device.tenantId !== view.tenantId) return false;
  if (view.vehicles !== 'all' && (device.vehicleId === null || !view.vehicles.has(device.vehicleId))) return false;
  return (
    view.only === undefined || view.only.has(device.imei) || (device.targa !== null && view.only.has(device.targa))
  );
}

export function wants(view: View, event: LiveEvent): boolean {
  if (event.tenantId !== view.tenantId || !view.types.has(event.type)) return false;
  if (event.userId !== undefined && view.userId !== undefined) {
    if (event.userId !== view.userId) return false;
    return event.device === undefined ? view.only === undefined : sees(view, event.device);
  }
  return event.device === undefined ? view.only === undefined && view.vehicles === 'all' : sees(view, event.device);
}

/** send buffer per client; writing pauses while it is full */
const MAX_WAITING_BYTES = 256 * 1_024;

/** One event stream to a client. Its last sent event is known, so that it can catch up from the feed at any time. */
export class Client {
  readonly view: View;
  /** its access token */
  readonly token: string;
  readonly #response: ServerResponse;
  /** it has received all events up to here */
  at: Resume;
  /** receives events as they occur; otherwise it is catching up from the feed */
  isLive = false;
  /** set if it has received more events than the live clients, up to this place */
  ahead: Place | undefined;
  /** ms (monotonic) since when its buffer is full */
  blockedSince: number | undefined;

  constructor(response: ServerResponse, view: View, token: string, at: Resume) {
    this.#response = response;
    this.view = view;
    this.token = token;
    this.at = at;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  get isFull(): boolean {
    return this.#response.writableLength > MAX_WAITING_BYTES;
  }

  /** False if the buffer of the client is full: the event is not sent and `at` is unchanged. */
  send(event: LiveEvent): boolean {
    if (this.isFull) return false;
    this.#response.write(frameOf(event));
    this.at = { place: { xid: event.xid, seq: event.seq }, token: event.token };
    return true;
  }

  /** All events of an entry have been sent. */
  passed({ xid, seq }: Place): void {
    this.at = { place: { xid, seq }, token: '' };
  }

  /** Whether this event was already sent during catch-up. */
  knows(place: Place): boolean {
    if (this.ahead === undefined) return false;
    if (compare(place, this.ahead) <= 0) return true;
    this.ahead = undefined;
    return false;
  }

  /** Sends text that is not an event of the feed. */
  say(text: string): void {
    if (!this.isFull) this.#response.write(text);
  }

  /** Keep-alive that carries the current event id, so that the client resumes from there. */
  beat(): void {
    this.say(`id: ${idOf(this.at.place, this.at.token)}\n: \n\n`);
  }

  /** Calls back when the buffer is drained or the connection has closed. */
  whenRead(done: () => void): void {
    this.#response.once('drain', done);
  }

  end(): void {
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }
}
