/** Counters of one protocol: plain numbers, since they change with every frame. The metrics read them. */
export interface ProtocolCounters {
  connections: number;
  decoded: number;
  undecoded: number;
  badChecksum: number;
  skippedBytes: number;
  /** positions that were durable and acknowledged */
  acknowledged: number;
}

export class Counters {
  readonly #byProtocol = new Map<string, ProtocolCounters>();

  of = (protocol: string): ProtocolCounters => {
    let counters = this.#byProtocol.get(protocol);
    if (counters === undefined) {
      counters = { connections: 0, decoded: 0, undecoded: 0, badChecksum: 0, skippedBytes: 0, acknowledged: 0 };
      this.#byProtocol.set(protocol, counters);
    }
    return counters;
  };

  entries(): IterableIterator<[string, ProtocolCounters]> {
    return this.#byProtocol.entries();
  }
}
