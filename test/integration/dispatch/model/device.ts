import type { StreamProtocol } from '#codec';
import { Journey } from '../../../../src/simulation/index.ts';
import type { ModelGateway, ModelLink } from './gateway.ts';

/** How devices of a protocol are spoken to. */
export interface Kind {
  readonly protocol: StreamProtocol;
  /** what a service sends so that the bytes on the wire contain this text */
  wrap(text: string, imei: string): string;
}

export interface Received {
  readonly commandId: string;
  readonly isRestart: boolean;
  /** as it was cut from the stream */
  readonly frame: Uint8Array;
}

/** Text of a command that is to be executed by a restart. */
export const RESTART = 'restart';
const COMMAND_ID = /cmd_[0-9a-f]{32}/;

/**
 * A device: it has one connection that it uses, cuts commands from the bytes that it receives, and remembers what it has
 * not answered. It speaks as the protocol's simulator does.
 */
export class ModelDevice {
  readonly id: number;
  readonly imei: string;
  readonly kind: Kind;
  link: ModelLink | undefined;
  /** commands received and not answered, oldest first */
  #inbox: Received[] = [];
  #buffer: Uint8Array = new Uint8Array(0);
  #serial = 0;

  constructor(id: number, imei: string, kind: Kind) {
    this.id = id;
    this.imei = imei;
    this.kind = kind;
  }

  /** The first bytes of a connection. */
  opening(): Uint8Array {
    const { simulator } = this.kind.protocol;
    const first = simulator.login?.(this.imei, ++this.#serial) ?? simulator.heartbeat?.(this.imei, ++this.#serial);
    return first ?? simulator.report(new Journey(1, Date.UTC(2026, 10, 1)).take(1), this.imei, ++this.#serial);
  }

  receive(link: ModelLink, bytes: Uint8Array): void {
    if (link !== this.link) return;
    this.#buffer = Buffer.concat([this.#buffer, bytes]);
    for (;;) {
      const cut = this.kind.protocol.simulator.read(this.#buffer);
      if (cut === undefined) return;
      this.#buffer = this.#buffer.slice(cut.bytes);
      if (cut.message.type !== 'command') continue;
      const { frame } = cut.message;
      const text = Buffer.from(frame).toString('latin1');
      const commandId = COMMAND_ID.exec(text)?.[0];
      // protocols that mark no end of a command: the device does not understand the first part of one
      if (commandId === undefined) continue;
      this.#inbox.push({ commandId, frame, isRestart: text.includes(RESTART) });
    }
  }

  connect(gateway: ModelGateway): void {
    // Without a ticket, an answer on another connection would be of no use to anybody.
    if (this.kind.protocol.correlation !== 'ticket') this.#inbox = [];
    this.#buffer = new Uint8Array(0);
    this.link = gateway.connect(this);
  }

  /** Answers one of the commands that wait, the oldest where answers come in order. */
  answer(pick: number, outcome: 'done' | 'refused', times: number): void {
    const { correlation, simulator } = this.kind.protocol;
    const link = this.link;
    if (link === undefined || this.#inbox.length === 0 || correlation === 'none') return;
    const at = correlation === 'ticket' ? pick % this.#inbox.length : 0;
    const [{ commandId, frame }] = this.#inbox.splice(at, 1) as [Received];
    for (let i = 0; i < times; i++) {
      link.answer(commandId, simulator.answer!(frame, outcome, this.imei, ++this.#serial));
    }
  }

  /** Never answers the oldest of them. */
  ignore(): void {
    this.#inbox.shift();
  }

  /** A command whose execution ends the connection, if one waits. */
  takeRestart(): boolean {
    const at = this.#inbox.findIndex(({ isRestart }) => isRestart);
    if (at < 0) return false;
    this.#inbox.splice(at, 1);
    return true;
  }
}
