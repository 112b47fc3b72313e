import type { StreamProtocol } from '#codec';

const TARGET = Symbol('the array behind a watched one');
const bufferFrom = Buffer.from as unknown as (...args: unknown[]) => Buffer;

/** Counts every byte that is read of the arrays that it hands out: by index, by a search, or as text. */
export class ReadCounter {
  count = 0;
  /** Of one stream. A weak set costs more than the frames of it. */
  readonly #buffers = new Set<unknown>();
  readonly #handler: ProxyHandler<Uint8Array> = { get: (target, name) => this.#get(target, name) };
  readonly #countingFrom = (...args: unknown[]): Buffer => {
    if (this.#buffers.has(args[0])) this.count += Number(args[2]);
    return Reflect.apply(bufferFrom, Buffer, args);
  };

  /** The bytes, each read of which is counted. */
  watch(bytes: Uint8Array): Uint8Array {
    this.#buffers.add(bytes.buffer);
    return new Proxy(bytes, this.#handler);
  }

  /** The array behind a watched one. */
  plain(bytes: Uint8Array): Uint8Array {
    return (bytes as { [TARGET]?: Uint8Array })[TARGET] ?? bytes;
  }

  /** Runs with reads of a buffer through `Buffer.from` counted too. */
  during<T>(run: () => T): T {
    Buffer.from = this.#countingFrom as typeof Buffer.from;
    try {
      return run();
    } finally {
      Buffer.from = bufferFrom as unknown as typeof Buffer.from;
    }
  }

  #get(target: Uint8Array, name: string | symbol): unknown {
    if (typeof name === 'string') {
      const first = name.charCodeAt(0);
      if (first >= 0x30 && first <= 0x39) {
        const at = Number(name);
        if (at < target.length) this.count += 1;
        return target[at];
      }
      if (name === 'length' || name === 'buffer' || name === 'byteOffset' || name === 'byteLength') return target[name];
      if (name === 'subarray') return (from?: number, to?: number) => this.watch(target.subarray(from, to));
      if (name === 'indexOf' || name === 'includes')
        return (byte: number, from = 0) => this.#search(target, name, byte, from);
    }
    if (name === TARGET) return target;
    const value = Reflect.get(target, name, target) as unknown;
    if (typeof value !== 'function') return value;
    // Whatever else an array can do looks at all of it.
    return (...args: unknown[]) => {
      this.count += target.length;
      return Reflect.apply(value, target, args) as unknown;
    };
  }

  #search(target: Uint8Array, name: 'indexOf' | 'includes', byte: number, from: number): number | boolean {
    const at = target.indexOf(byte, from);
    this.count += (at < 0 ? target.length : at + 1) - Math.min(from, target.length);
    return name === 'indexOf' ? at : at >= 0;
  }
}

/** The protocol with the reads of its framing and checksum counted. */
export function countReads(protocol: StreamProtocol<unknown>, counter: ReadCounter): StreamProtocol<unknown> {
  const { verify } = protocol;
  return {
    ...protocol,
    frame(bytes, context) {
      const result = counter.during(() => protocol.frame(counter.watch(bytes), context));
      if (result.type !== 'frame' || result.content === undefined) return result;
      return { ...result, content: counter.plain(result.content) };
    },
    ...(verify && {
      verify: (frame: Uint8Array, context: Parameters<typeof verify>[1]) =>
        counter.during(() => verify(counter.watch(frame), context)),
    }),
  };
}
