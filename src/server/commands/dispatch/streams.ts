import type { Delivery, DownlinkLine } from '../../../contract/events.ts';
import type { ClaimedCommand } from './store.ts';

/** Downlinks of gateways that end in this process. */
export class Streams {
  readonly #senders = new Map<string, Set<(line: DownlinkLine) => void>>();

  /** Names of these gateways. */
  get gateways(): string[] {
    return [...this.#senders.keys()];
  }

  /** Adds a downlink. Returns a function to remove it. */
  open(gateway: string, send: (line: DownlinkLine) => void): () => void {
    const senders = this.#senders.get(gateway) ?? new Set();
    senders.add(send);
    this.#senders.set(gateway, senders);
    return () => {
      senders.delete(send);
      if (senders.size === 0 && this.#senders.get(gateway) === senders) this.#senders.delete(gateway);
    };
  }

  /** Sends on the newest downlink of the gateway; false if there is none. */
  send(gateway: string, line: DownlinkLine): boolean {
    const send = [...(this.#senders.get(gateway) ?? [])].at(-1);
    send?.(line);
    return send !== undefined;
  }

  deliver(commands: readonly ClaimedCommand[]): void {
    for (const command of commands) this.send(command.gateway, toDelivery(command));
  }
}

function toDelivery(command: ClaimedCommand): Delivery {
  return {
    type: 'deliver',
    commandId: command.id,
    attempt: command.deliveries,
    imei: command.imei,
    conn: command.conn,
    command: command.type,
    params: command.params,
    ...(command.encoding === 'hex' ? { hex: command.text } : {}),
    ticket: String(command.ticket),
  };
}
