import type { DriverStep, Message, Reply } from '#codec';
import type { UnnumberedEvent } from '../../contract/events.ts';
import { normalise, packFrame, packPosition } from '../../contract/telemetry/index.ts';
import type { Log } from '../../platform/log.ts';
import type { ProtocolCounters } from '../counters.ts';
import { EVENT, FRAME, type OutboundRecord, PACKED, type Recorder } from '../ports.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Sender, UnadmittedFrames } from '../sessions/unadmitted-frames.ts';
import { decodeAnswer } from './answer-text.ts';
import { answersOther, isAdmitted, type Link } from './link.ts';

export interface IntakeResult {
  /** resolves when all records are durable and their acknowledgements written; undefined if there are no records */
  readonly durable: Promise<void> | undefined;
  /** why the link must be closed; undefined if it stays open */
  readonly end?: 'refused' | 'unsure' | 'stream lost' | 'no device id' | 'answered';
}

/** Text of a frame's event: the raw bytes, stored so that operators can inspect what the device sent. */
const frameEvent = (link: Link, bytes: Uint8Array, at: number, imei = link.deviceId): string =>
  `"at":${at},${imei === undefined ? '' : `"imei":"${imei}",`}"conn":"${link.id}","protocol":"${link.protocol}","transport":"${link.transport}","remote":"${link.remote}","bytes":"${base64(bytes)}"}`;

/** Bytes of all copies of a frame in the timelines of several devices; at least one copy is stored. */
const FRAME_COPY_BYTES = 64 * 1024;

/** Devices that the messages of a frame name, by the id in the message. */
type NamedDevices = ReadonlyMap<string, string | undefined>;
const NO_DEVICES: NamedDevices = new Map();

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/**
 * Converts driver steps to spool records and replies. A reply marked `stored` is sent when the records of its chunk
 * are durable; replies keep the order of their frames.
 */
export class Intake {
  readonly #sessions: Sessions;
  readonly #recorder: Recorder;
  readonly #counters: (protocol: string) => ProtocolCounters;
  readonly #log: Log;
  readonly #unadmitted: UnadmittedFrames;
  #pendingSync = 0;
  #onIdle: (() => void)[] = [];

  constructor(
    sessions: Sessions,
    recorder: Recorder,
    counters: (protocol: string) => ProtocolCounters,
    log: Log,
    unadmitted: UnadmittedFrames,
  ) {
    this.#unadmitted = unadmitted;
    this.#sessions = sessions;
    this.#recorder = recorder;
    this.#counters = counters;
    this.#log = log;
  }

  take(link: Link, steps: readonly DriverStep[], now: number): IntakeResult {
    const chunk = new Chunk(link, this.#sessions, this.#counters(link.protocol), this.#unadmitted, now);
    let end: IntakeResult['end'];
    for (const step of steps) {
      end = chunk.add(step);
      if (end !== undefined) break;
    }
    for (const bytes of chunk.immediate) link.write(bytes);
    if (chunk.records.length === 0) {
      for (const bytes of chunk.whenDurable) link.write(bytes);
      return end === undefined ? { durable: undefined } : { durable: undefined, end };
    }
    this.#pendingSync++;
    const durable = this.#recorder.append(chunk.records).then(
      () => {
        this.#settled();
        chunk.counters.acknowledged += chunk.positions;
        // each HTTP response is written separately, since a command may replace it
        if (link.transport === 'http') for (const bytes of chunk.whenDurable) link.write(bytes);
        else if (chunk.whenDurable.length > 0) link.write(concat(chunk.whenDurable));
      },
      (error: unknown) => {
        this.#settled();
        // Not durable, so not acknowledged: the device keeps the records and sends them again on a new connection.
        this.#log.warn({ conn: link.id, reason: (error as Error).message }, 'records not stored, connection closed');
        link.close('not stored');
      },
    );
    return end === undefined ? { durable } : { durable, end };
  }

  /** Resolves when all received records are durable and acknowledged, and all reported events durable, or have failed. */
  idle(): Promise<void> {
    if (this.#pendingSync === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  #settled(): void {
    if (--this.#pendingSync > 0) return;
    // after the acknowledgement, which is written in this iteration of the event loop
    for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** Adds first bytes that match no protocol to the sample of unadmitted frames. */
  unidentified(from: Sender, bytes: Uint8Array, now: number): void {
    this.#unadmitted.add(from, bytes, now, 'unidentified');
  }

  /** Reports events that were not caused by a frame. */
  report(events: readonly UnnumberedEvent[]): void {
    if (events.length === 0) return;
    this.#pendingSync++;
    this.#recorder
      .append(events.map(eventRecord))
      .catch((error: unknown) => {
        this.#log.warn({ reason: (error as Error).message, events: events.length }, 'events not stored');
      })
      .finally(() => this.#settled());
  }
}

/** Records and replies of one socket read. */
class Chunk {
  readonly link: Link;
  readonly counters: ProtocolCounters;
  readonly records: OutboundRecord[] = [];
  readonly immediate: Uint8Array[] = [];
  readonly whenDurable: Uint8Array[] = [];
  positions = 0;
  readonly #sessions: Sessions;
  readonly #unadmitted: UnadmittedFrames;
  readonly #now: number;

  constructor(link: Link, sessions: Sessions, counters: ProtocolCounters, unadmitted: UnadmittedFrames, now: number) {
    this.#unadmitted = unadmitted;
    this.link = link;
    this.counters = counters;
    this.#sessions = sessions;
    this.#now = now;
  }

  add(step: DriverStep): IntakeResult['end'] {
    switch (step.type) {
      case 'frame':
        this.counters.decoded++;
        return this.#frame(step.bytes, step.messages, step.replies);
      case 'undecoded':
        this.counters.undecoded++;
        return this.#undecoded(step);
      case 'bad-checksum':
        this.counters.badChecksum++;
        return undefined;
      case 'skipped':
        this.counters.skippedBytes += step.bytes.length;
        return undefined;
      case 'lost':
        return 'stream lost';
    }
  }

  #frame(bytes: Uint8Array, messages: readonly Message[], replies: readonly Reply[]): IntakeResult['end'] {
    for (const message of messages) {
      if (message.type !== 'login') continue;
      const login = this.#sessions.login(this.link, message.ids, this.#now, message.password);
      for (const event of login.events) this.records.push(eventRecord(event));
      if (login.admission === 'known' || login.admission === 'open') continue;
      const reason = login.admission === 'no-id' ? 'invalid-id' : login.admission;
      this.#unadmitted.add(this.link, bytes, this.#now, reason, login.deviceId);
      if (login.admission === 'unsure') return 'unsure';
      if (!login.isLimited) this.#reply(replies, false);
      return login.admission === 'refused' ? 'refused' : 'no device id';
    }
    const devices = this.#devicesOf(messages);
    if (!isAdmitted(this.link)) {
      this.#unadmitted.add(this.link, bytes, this.#now, 'unidentified');
      // Discarded messages are not acknowledged; the protocol may have a negative reply.
      return this.#reply(
        replies,
        messages.every(({ type }) => type === 'heartbeat'),
      );
    }
    this.#raw(bytes, messages, devices);
    for (const message of messages) this.#message(message, devices);
    return this.#reply(replies, true);
  }

  /** The devices that the messages name, logged in; undefined for a refused one. */
  #devicesOf(messages: readonly Message[]): NamedDevices {
    let devices: Map<string, string | undefined> | undefined;
    for (const message of messages) {
      if (message.type === 'login' || message.deviceId === undefined) continue;
      devices ??= new Map();
      if (!devices.has(message.deviceId)) devices.set(message.deviceId, this.#named(message.deviceId));
    }
    return devices ?? NO_DEVICES;
  }

  #undecoded({ bytes, error, replies }: Extract<DriverStep, { type: 'undecoded' }>): IntakeResult['end'] {
    if (!isAdmitted(this.link)) this.#unadmitted.add(this.link, bytes, this.#now, 'unidentified');
    else {
      const detail = JSON.stringify(error.message.slice(0, 500));
      const frame = frameEvent(this.link, bytes, this.#now);
      this.#event(`{"type":"frame-undecoded","code":"${error.code}","detail":${detail},${frame}`);
    }
    return this.#reply(replies, true);
  }

  #message(message: Message, devices: NamedDevices): void {
    if (message.type === 'login') return;
    const imei = message.deviceId === undefined ? this.link.deviceId : devices.get(message.deviceId);
    if (imei === undefined) return;
    const at = this.#now;
    const conn = this.link.id;
    switch (message.type) {
      case 'position': {
        this.records.push({ kind: PACKED, bytes: packPosition(imei, this.link.protocol, normalise(message), at) });
        this.positions++;
        return;
      }
      case 'heartbeat':
        this.#event(`{"type":"heartbeat","at":${at},"imei":"${imei}","conn":"${conn}"}`);
        return;
      case 'answer': {
        // A datagram outside of the session cannot answer a command: its sender may be forged.
        if (this.#sessions.linkOf(imei) !== this.link) return;
        const { ticket, outcome } = message;
        const { protocol, options } = this.link.driver ?? {};
        const charsets = { device: options?.['charset'], protocol: protocol?.charset };
        const { text, bytes } = decodeAnswer(message, charsets);
        const namesOther = answersOther(this.link, imei, message) ? true : undefined;
        const content = { outcome, text, bytes: bytes && base64(bytes) };
        const body = { type: 'answer', at, imei, conn, ticket, ...content, namesOther };
        this.#event(JSON.stringify(body));
        return;
      }
      case 'file': {
        const { name, media, offset, total, last } = message;
        const body = { type: 'file', at, imei, conn, name, media, offset, total, last, bytes: base64(message.bytes) };
        this.#event(JSON.stringify(body));
      }
    }
  }

  /** Logs in the device that a message names. If it is refused, the message is skipped and the link stays open. */
  #named(id: string): string | undefined {
    const login = this.#sessions.login(this.link, [id], this.#now);
    for (const event of login.events) this.records.push(eventRecord(event));
    return login.admission === 'known' || login.admission === 'open' ? login.deviceId : undefined;
  }

  /** The frame is stored in the timeline of each device that it has messages of. */
  #raw(bytes: Uint8Array, messages: readonly Message[], devices: NamedDevices): void {
    if (devices.size === 0) {
      this.#frameOf(this.link.deviceId, bytes);
      return;
    }
    const named = new Set<string>();
    for (const id of devices.values()) if (id !== undefined) named.add(id);
    const { deviceId } = this.link;
    const isOwn = messages.some((message) => message.type === 'login' || message.deviceId === undefined);
    if (deviceId !== undefined && (isOwn || named.size === 0)) named.add(deviceId);
    let left = Math.max(1, Math.floor(FRAME_COPY_BYTES / Math.max(1, bytes.length)));
    for (const imei of named) {
      if (left-- === 0) return;
      this.#frameOf(imei, bytes);
    }
    if (named.size === 0) this.#frameOf(undefined, bytes);
  }

  #frameOf(imei: string | undefined, bytes: Uint8Array): void {
    const { id: conn, protocol, transport, remote } = this.link;
    const packed = packFrame({ at: this.#now, imei, conn, protocol, transport, remote }, bytes);
    if (packed !== undefined) this.records.push({ kind: FRAME, bytes: packed });
    else this.#event(`{"type":"frame",${frameEvent(this.link, bytes, this.#now, imei)}`);
  }

  #event(json: string): void {
    this.records.push({ kind: EVENT, bytes: Buffer.from(json) });
  }

  #reply(replies: readonly Reply[], admitted: boolean): IntakeResult['end'] {
    let end: IntakeResult['end'];
    for (const { when, bytes, last } of replies) {
      if (last && when !== 'refused') end = 'answered';
      if (when === 'received') this.immediate.push(bytes);
      else if (admitted ? when === 'stored' : when === 'refused')
        (admitted ? this.whenDurable : this.immediate).push(bytes);
    }
    return end;
  }
}

const eventRecord = (event: UnnumberedEvent): OutboundRecord => ({
  kind: EVENT,
  bytes: Buffer.from(JSON.stringify(event)),
});

const concat = (parts: readonly Uint8Array[]): Uint8Array => (parts.length === 1 ? parts[0]! : Buffer.concat(parts));
