import type { DecodeContext, DeviceOptions, Reply, StreamProtocol } from './contract.ts';
import { CodecError } from './errors.ts';
import type { Message } from './messages.ts';

/** One thing that happened on the stream, in the order of the bytes. `bytes` are as they were on the wire. */
export type DriverStep =
  | {
      readonly type: 'frame';
      readonly bytes: Uint8Array;
      readonly messages: readonly Message[];
      readonly replies: readonly Reply[];
    }
  /** verified, but its meaning is not known: kept raw */
  | {
      readonly type: 'undecoded';
      readonly bytes: Uint8Array;
      readonly error: CodecError;
      readonly replies: readonly Reply[];
    }
  | { readonly type: 'bad-checksum'; readonly bytes: Uint8Array }
  | { readonly type: 'skipped'; readonly bytes: Uint8Array }
  /** nothing after this can be trusted; the driver takes no more bytes */
  | { readonly type: 'lost'; readonly error: CodecError };

export interface DriverSettings {
  readonly transport: 'tcp' | 'udp';
  readonly options: DeviceOptions;
  /** given where the session is known already */
  readonly deviceId?: string;
  /** options of the device that a frame names; the frame is decoded again with them when they are not the present ones */
  optionsFor?(ids: readonly string[]): DeviceOptions | undefined;
  /**
   * Told of what a codec throws beside CodecError. The frame then counts as undecoded (code `bug`), so that it does not
   * block its device; without this function the error passes through.
   */
  onBug?(error: unknown): void;
}

const NOTHING = new Uint8Array(0);

/**
 * Runs a protocol over a stream (TCP: chunks cut anywhere) or over datagrams (UDP: each chunk stands alone, the state
 * is kept). Holds at most `maxFrameBytes` and one chunk. The steps' bytes may be views of the chunk that was pushed.
 */
export class Driver<State> {
  readonly protocol: StreamProtocol<State>;
  readonly #transport: 'tcp' | 'udp';
  readonly #settings: DriverSettings;
  #options: DeviceOptions;
  #state: State;
  /** bytes held back are the first `#held` of it */
  #buffer: Uint8Array = NOTHING;
  #held = 0;
  #wanted = 0;
  #lost = false;

  constructor(protocol: StreamProtocol<State>, settings: DriverSettings) {
    this.protocol = protocol;
    this.#transport = settings.transport;
    this.#options = settings.options;
    this.#settings = settings;
    this.#state = protocol.initialState(settings.deviceId);
  }

  get state(): State {
    return this.#state;
  }

  get options(): DeviceOptions {
    return this.#options;
  }

  set options(options: DeviceOptions) {
    this.#options = options;
  }

  /** Bytes held back until more come. */
  get buffered(): number {
    return this.#held;
  }

  /**
   * Takes bytes read at `now` (epoch ms) and tells what they were.
   */
  push(chunk: Uint8Array, now: number): DriverStep[] {
    const steps: DriverStep[] = [];
    if (this.#lost) return steps;
    if (this.#held > 0) {
      this.#hold(chunk);
      if (this.#held < this.#wanted) return steps;
    }
    const bytes = this.#held > 0 ? this.#buffer.subarray(0, this.#held) : chunk;
    this.#buffer = NOTHING;
    this.#held = 0;
    this.#wanted = 0;
    const rest = this.#run(bytes, now, steps);
    if (rest === bytes.length || this.#lost) return steps;
    if (this.#transport === 'udp') {
      // A datagram stands alone: what it lacks never comes.
      steps.push({ type: 'skipped', bytes: bytes.subarray(rest) });
      this.#wanted = 0;
    } else {
      // A copy, so that a few bytes do not hold a whole socket buffer and steps keep theirs.
      this.#hold(bytes.subarray(rest));
    }
    return steps;
  }

  #hold(bytes: Uint8Array): void {
    const held = this.#held + bytes.length;
    if (held > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(held, Math.min(2 * held, this.protocol.maxFrameBytes)));
      grown.set(this.#buffer.subarray(0, this.#held));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#held);
    this.#held = held;
  }

  /** Cuts and decodes until bytes are wanting; returns where. */
  #run(bytes: Uint8Array, now: number, steps: DriverStep[]): number {
    const { protocol } = this;
    const most = protocol.maxFrameBytes;
    let at = 0;
    while (at < bytes.length) {
      // Never more than a frame may have: what is cut does not depend on how much came at once, nor does the search.
      const head = at === 0 && bytes.length <= most ? bytes : bytes.subarray(at, at + most);
      const context: DecodeContext<State> = {
        transport: this.#transport,
        state: this.#state,
        options: this.#options,
        now,
      };
      let cut: ReturnType<StreamProtocol<State>['frame']>;
      try {
        cut = protocol.frame(head, context);
      } catch (error) {
        this.#loseStream(error, steps);
        return bytes.length;
      }
      if (cut.type === 'wait') {
        const wanted = Math.max(cut.atLeast ?? 0, head.length + 1);
        if (wanted <= most) {
          this.#wanted = wanted;
          return at;
        }
        if (protocol.resync === 'none') {
          this.#loseStream(new CodecError('frame-too-large', `more than ${protocol.maxFrameBytes} bytes`, 0), steps);
          return bytes.length;
        }
        skipped(steps, head, 1);
        at += 1;
      } else if (cut.type === 'skip') {
        const count = Math.min(Math.max(cut.bytes, 1), head.length);
        skipped(steps, head, count);
        at += count;
      } else {
        if (cut.start > 0) skipped(steps, head, cut.start);
        const raw = cut.start === 0 && cut.end === head.length ? head : head.subarray(cut.start, cut.end);
        const next = this.#decode(raw, cut.content ?? raw, context, steps) ? cut.end : (cut.resumeAt ?? cut.end);
        at += Math.max(next, 1);
      }
    }
    return at;
  }

  /** False when the checksum refuses the frame. */
  #decode(raw: Uint8Array, frame: Uint8Array, context: DecodeContext<State>, steps: DriverStep[]): boolean {
    const { protocol } = this;
    if (protocol.verify !== undefined && !protocol.verify(frame, context)) {
      steps.push({ type: 'bad-checksum', bytes: raw });
      return false;
    }
    try {
      let decoded = protocol.decode(frame, context);
      if (this.#learnOptions(decoded.messages))
        decoded = protocol.decode(frame, { ...context, options: this.#options });
      this.#state = decoded.state;
      steps.push({ type: 'frame', bytes: raw, messages: decoded.messages, replies: decoded.replies });
    } catch (thrown) {
      const error = this.#asCodecError(thrown);
      const replies = protocol.acknowledgeUndecoded?.(frame, context) ?? [];
      steps.push({ type: 'undecoded', bytes: raw, error, replies });
    }
    return true;
  }

  /** True when the frame names a device whose options are other than those that it was decoded with. */
  #learnOptions(messages: readonly Message[]): boolean {
    const first = messages[0];
    if (this.#settings.optionsFor === undefined || first?.type !== 'login') return false;
    const options = this.#settings.optionsFor(first.ids);
    if (options === undefined || options === this.#options) return false;
    this.#options = options;
    return true;
  }

  #loseStream(thrown: unknown, steps: DriverStep[]): void {
    const error = this.#asCodecError(thrown);
    this.#lost = true;
    steps.push({ type: 'lost', error });
  }

  #asCodecError(thrown: unknown): CodecError {
    if (thrown instanceof CodecError) return thrown;
    if (this.#settings.onBug === undefined) throw thrown;
    this.#settings.onBug(thrown);
    return new CodecError('bug', 'the codec has a bug that these bytes show');
  }
}

/** One step for bytes that are skipped in a row. */
function skipped(steps: DriverStep[], head: Uint8Array, count: number): void {
  const last = steps.at(-1);
  const joins =
    last?.type === 'skipped' &&
    last.bytes.buffer === head.buffer &&
    last.bytes.byteOffset + last.bytes.length === head.byteOffset;
  if (!joins) steps.push({ type: 'skipped', bytes: head.subarray(0, count) });
  else {
    const bytes = new Uint8Array(head.buffer, last.bytes.byteOffset, last.bytes.length + count);
    steps[steps.length - 1] = { type: 'skipped', bytes };
  }
}
