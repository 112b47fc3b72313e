import type { ModelGateway, ModelLink } from './gateway.ts';

/** How devices of a protocol answer. */
export interface Kind {
  readonly protocol: string;
  readonly correlation: 'ticket' | 'in-order' | 'none';
}

export interface Received {
  readonly commandId: string;
  readonly ticket: string;
  readonly type: string;
}

/** A device: it has one connection that it uses, and remembers what it has not answered. */
export class ModelDevice {
  readonly id: number;
  readonly imei: string;
  readonly kind: Kind;
  link: ModelLink | undefined;
  /** commands received and not answered, oldest first */
  #inbox: Received[] = [];

  constructor(id: number, imei: string, kind: Kind) {
    this.id = id;
    this.imei = imei;
    this.kind = kind;
  }

  receive(link: ModelLink, command: Received): void {
    if (link !== this.link) return;
    this.#inbox.push(command);
  }

  connect(gateway: ModelGateway): void {
    // Without a ticket, an answer on another connection would be of no use to anybody.
    if (this.kind.correlation !== 'ticket') this.#inbox = [];
    this.link = gateway.connect(this);
  }

  /** Answers one of the commands that wait, the oldest where answers come in order. */
  answer(pick: number, outcome: 'done' | 'refused', times: number): void {
    const link = this.link;
    if (link === undefined || this.#inbox.length === 0 || this.kind.correlation === 'none') return;
    const at = this.kind.correlation === 'ticket' ? pick % this.#inbox.length : 0;
    const [command] = this.#inbox.splice(at, 1);
    for (let i = 0; i < times; i++) link.answer(command!, outcome);
  }

  /** Never answers the oldest of them. */
  ignore(): void {
    this.#inbox.shift();
  }

  /** A command whose execution ends the connection, if one waits. */
  takeRestart(): boolean {
    const at = this.#inbox.findIndex(({ type }) => type === 'restart');
    if (at < 0) return false;
    this.#inbox.splice(at, 1);
    return true;
  }
}
