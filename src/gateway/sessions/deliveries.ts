import { CodecError, fromHex } from '#codec';
import type { UnnumberedEvent } from '../../contract/events.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { type Link, noteCommand } from '../connection/link.ts';
import { type Delivery, type DownlinkLine, EVENT, type Recorder } from '../ports.ts';
import type { Sessions } from './sessions.ts';

/** Number of deliveries that are remembered, so that a repeated one is not written twice. */
const MAX_REMEMBERED_DELIVERIES = 50_000;

/**
 * Writes commands to devices. The event `sent` is durable in the spool before the first byte is written, so a
 * delivery without this event has written nothing. A delivery to a closed connection is answered `not-sent`.
 */
export class Deliveries {
  readonly #sessions: Sessions;
  readonly #recorder: Recorder;
  readonly #clock: Clock;
  readonly #log: Log;
  /** `command/attempt/connection` of accepted deliveries, oldest first */
  readonly #taken = new Set<string>();
  readonly #withdrawn = new Set<string>();

  constructor(sessions: Sessions, recorder: Recorder, clock: Clock, log: Log) {
    this.#sessions = sessions;
    this.#recorder = recorder;
    this.#clock = clock;
    this.#log = log;
  }

  /** Handles a downlink line; true if it was about commands. */
  apply(line: DownlinkLine): boolean {
    switch (line.type) {
      case 'deliver':
        void this.#deliver(line);
        return true;
      case 'withdraw':
        remember(this.#withdrawn, keyOf(line));
        return true;
      case 'close':
        this.#sessions.linkById(line.conn)?.close(line.reason);
        return true;
      case 'hello':
      case 'ping':
      case 'devices':
      case 'devices-end':
      case 'device':
      case 'device-removed':
      case 'devices-refused':
      case 'taken-over':
        return false;
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    // an attempt that was returned as not sent is delivered again with the same number on another connection
    const key = `${keyOf(delivery)}/${delivery.conn}`;
    if (this.#taken.has(key)) return;
    remember(this.#taken, key);
    const bytes = this.#prepare(delivery);
    if (!(bytes instanceof Uint8Array)) {
      this.#taken.delete(key);
      await this.#report({ ...this.#about(delivery), type: 'not-sent', ...bytes });
      return;
    }
    if (!(await this.#report({ ...this.#about(delivery), type: 'sent' }))) {
      this.#taken.delete(key);
      return;
    }
    // the connection may have closed since `sent`; the end of the session then determines the result
    const link = this.#linkFor(delivery);
    if (link === undefined) return;
    noteCommand(link, delivery.imei, bytes);
    const isSilent = link.driver?.protocol.correlation === 'none';
    link.deliver(bytes, isSilent ? () => void this.#report({ ...this.#about(delivery), type: 'taken' }) : undefined);
  }

  /** The bytes, or the reason why they cannot be encoded. */
  #prepare(delivery: Delivery): Uint8Array | { reason: string; permanent?: true } {
    if (this.#withdrawn.has(keyOf(delivery))) return { reason: 'withdrawn' };
    const driver = this.#linkFor(delivery)?.driver;
    if (driver === undefined) return { reason: 'the connection is gone' };
    const { protocol, state, options } = driver;
    const command = Object.hasOwn(protocol.commands, delivery.command)
      ? protocol.commands[delivery.command]
      : undefined;
    try {
      if (delivery.hex !== undefined && protocol.speaks === 'http')
        return { reason: `${protocol.id} takes no raw bytes`, permanent: true };
      if (delivery.hex !== undefined) return fromHex(delivery.hex);
      if (command === undefined)
        return { reason: `${protocol.id} has no command ${delivery.command}`, permanent: true };
      const { params, imei: deviceId, ticket } = delivery;
      return command.encode(params, { state, deviceId, options, ticket, now: this.#clock.now() });
    } catch (error) {
      if (error instanceof CodecError) return { reason: error.message.slice(0, 200), permanent: true };
      this.#log.error({ err: error, protocol: protocol.id, command: delivery.command }, 'bug in a command’s encoder');
      return { reason: 'the encoder has a bug', permanent: true };
    }
  }

  #linkFor({ imei, conn }: Delivery): Link | undefined {
    const link = this.#sessions.linkOf(imei);
    return link?.id === conn ? link : undefined;
  }

  #about({ commandId, attempt, imei, conn }: Delivery): {
    commandId: string;
    attempt: number;
    imei: string;
    conn: string;
    at: number;
  } {
    return { commandId, attempt, imei, conn, at: this.#clock.now() };
  }

  /** False if the event could not be stored; then the command must not be written. */
  async #report(event: UnnumberedEvent): Promise<boolean> {
    try {
      // urgent: the command is written after this
      await this.#recorder.append([{ kind: EVENT, bytes: Buffer.from(JSON.stringify(event)) }], true);
      return true;
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message, type: event.type }, 'a command’s event was not stored');
      return false;
    }
  }
}

const keyOf = ({ commandId, attempt }: { commandId: string; attempt: number }): string => `${commandId}/${attempt}`;

function remember(keys: Set<string>, key: string): void {
  keys.add(key);
  if (keys.size > MAX_REMEMBERED_DELIVERIES) keys.delete(keys.values().next().value!);
}
