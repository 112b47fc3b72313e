import type { ServerResponse } from 'node:http';
import { compare, type Place } from '../../feed/index.ts';
import { type EventType, frameOf, idOf, type LiveEvent, type Resume } from './event.ts';
import type { Face, SeenVehicles } from './store.ts';

/** What a client may see, and what it has asked for. */
export interface View {
  readonly tenantId: number;
  /** undefined: a key, which is no user */
  readonly userId: string | undefined;
  readonly types: ReadonlySet<EventType>;
  /** ids of vehicles that the user is given; `all`: also devices that are in none */
  vehicles: SeenVehicles;
  /** plates (normalised) and ids of devices that were asked for; undefined: all */
  readonly only: ReadonlySet<string> | undefined;
}

/** May this view see the device, and does it want to? */
export function sees(view: View, face: Face): boolean {
  if (face.tenantId !== view.tenantId) return false;
  if (view.vehicles !== 'all' && (face.vehicleId === null || !view.vehicles.has(face.vehicleId))) return false;
  return view.only === undefined || view.only.has(face.imei) || (face.targa !== null && view.only.has(face.targa));
}

export function wants(view: View, event: LiveEvent): boolean {
  if (event.tenantId !== view.tenantId || !view.types.has(event.type)) return false;
  if (event.userId !== undefined && view.userId !== undefined) {
    if (event.userId !== view.userId) return false;
    return event.face === undefined ? view.only === undefined : sees(view, event.face);
  }
  return event.face === undefined ? view.only === undefined && view.vehicles === 'all' : sees(view, event.face);
}

/** bytes that wait for a client; past it nothing more is written before it has read them */
const MOST_WAITING_BYTES = 256 * 1_024;

/** One event stream. What it was sent last is known, so that it can be brought up from the feed at any time. */
export class Client {
  readonly view: View;
  /** the credential that it stands on */
  readonly token: string;
  readonly #response: ServerResponse;
  /** it has received all events up to here */
  at: Resume;
  /** receives events as they occur; otherwise it is catching up from the feed */
  isLive = false;
  /** it has received the events up to here already, more than the others */
  ahead: Place | undefined;
  /** ms (monotonic) of the first moment at which it did not read */
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
    return this.#response.writableLength > MOST_WAITING_BYTES;
  }

  /** False where the client has not read what came before: the event is not sent, and `at` stands before it. */
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

  /** Was this event sent while it was catching up? */
  knows(place: Place): boolean {
    if (this.ahead === undefined) return false;
    if (compare(place, this.ahead) <= 0) return true;
    this.ahead = undefined;
    return false;
  }

  /** Something that is not of the feed. */
  say(text: string): void {
    if (!this.isFull) this.#response.write(text);
  }

  /** Keeps the line open, and lets the client know how far it has come: a resume need not go further back. */
  beat(): void {
    this.say(`id: ${idOf(this.at.place, this.at.token)}\n: \n\n`);
  }

  /** Calls back when it has read what waited, or is gone. */
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
