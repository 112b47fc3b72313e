import type { DecodeContext, DeviceOptions, FrameResult, Reply, Scan, StreamProtocol } from './contract.ts';
import { CodecError } from './errors.ts';
import type { Message } from './messages.ts';
import { StreamBuffer } from './stream-buffer.ts';

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
  /** id of the device, if the session is known already */
  readonly deviceId?: string;
  /** options of the device that a frame names; the frame is decoded again with them when they are not the present ones */
  optionsFor?(ids: readonly string[]): DeviceOptions | undefined;
  /**
   * Called with what a codec throws beside CodecError. The frame then counts as undecoded (code `bug`), so that it does not
   * block its device; without this function the error passes through.
   */
  onBug?(error: unknown): void;
  /**
   * Steps after which `push` returns although bytes are left; `hasMore` is then true, and `resume` continues. Default:
   * no limit.
   */
  readonly stepsPerPush?: number;
}

const NOTHING_FOLLOWS: readonly number[] = [];

/** Bytes of refused frames that may be searched again at the beginning of a stream. */
const FIRST_CREDIT = 1_024;
/** Of a long stream, this many largest frames of refused bytes at once. */
const MAX_CREDIT_FRAMES = 4;

/**
 * Runs a protocol over a stream (TCP: chunks cut anywhere) or over datagrams (UDP: each chunk stands alone, the state
 * is kept). Holds at most `maxFrameBytes` and the bytes that `push` has left. The steps' bytes may be views of the chunk
 * that was pushed. The work is linear in the bytes received, whatever they are: a framer goes on where it stopped (see
 * `Scan`), and a refused frame is searched for others only as long as the bytes received so far allow.
 */
export class Driver<State> {
  readonly protocol: StreamProtocol<State>;
  // Of the protocol: objects of many shapes are slow to ask, and each frame asks.
  readonly #frame: StreamProtocol<State>['frame'];
  readonly #verify: StreamProtocol<State>['verify'];
  readonly #decode: StreamProtocol<State>['decode'];
  readonly #maxFrameBytes: number;
  readonly #transport: 'tcp' | 'udp';
  readonly #settings: DriverSettings;
  readonly #buffer = new StreamBuffer();
  #options: DeviceOptions;
  #state: State;
  #wanted = 0;
  #scan: Scan | undefined;
  #lost = false;
  #hasMore = false;
  /** bytes of refused frames that may be searched again */
  #credit = FIRST_CREDIT;
  /** bytes from the present head on for which credit was given */
  #credited = 0;
  /** what may still follow the last frame: see `mayFollow` of `FrameResult` */
  #mayFollow: readonly number[] = NOTHING_FOLLOWS;
  #followed = 0;

  constructor(protocol: StreamProtocol<State>, settings: DriverSettings) {
    this.protocol = protocol;
    this.#frame = protocol.frame;
    this.#verify = protocol.verify;
    this.#decode = protocol.decode;
    this.#maxFrameBytes = protocol.maxFrameBytes;
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
    return this.#buffer.length;
  }

  /** Bytes passed over so far that ended frames which were taken before they came; they are in no step. */
  get followed(): number {
    return this.#followed;
  }

  /** `push` has stopped at `stepsPerPush`: `resume` takes the rest. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  /** Takes bytes read at `now` (epoch ms) and returns what they were. */
  push(chunk: Uint8Array, now: number): DriverStep[] {
    if (this.#lost) return [];
    this.#buffer.add(chunk);
    if (this.#buffer.length < this.#wanted) return [];
    return this.resume(now);
  }

  /** Continues with the bytes that the previous push has left. */
  resume(now: number): DriverStep[] {
    const steps: DriverStep[] = [];
    if (this.#lost) return steps;
    this.#hasMore = false;
    this.#wanted = 0;
    const bytes = this.#buffer.bytes;
    const rest = this.#run(bytes, now, steps);
    if (rest === bytes.length || this.#lost) {
      this.#buffer.clear();
    } else if (this.#transport === 'udp' && !this.#hasMore) {
      // A datagram stands alone: what it lacks never comes.
      steps.push({ type: 'skipped', bytes: bytes.subarray(rest) });
      this.#wanted = 0;
      this.#scan = undefined;
      this.#buffer.clear();
    } else {
      this.#buffer.drop(rest);
    }
    if (this.#transport === 'udp' && !this.#hasMore) this.#mayFollow = NOTHING_FOLLOWS;
    return steps;
  }

  /** Frames and decodes until more bytes are needed or the steps are too many; returns where. */
  #run(bytes: Uint8Array, now: number, steps: DriverStep[]): number {
    const most = this.#maxFrameBytes;
    const mostSteps = this.#settings.stepsPerPush ?? Number.POSITIVE_INFINITY;
    let at = 0;
    while (at < bytes.length) {
      if (this.#mayFollow.length > 0) {
        at += this.#passFollowing(bytes, at);
        continue;
      }
      if (steps.length >= mostSteps) {
        this.#hasMore = true;
        return at;
      }
      // Never more than a frame may have: the result does not depend on how much came at once, nor does the search.
      const head = at === 0 && bytes.length <= most ? bytes : bytes.subarray(at, at + most);
      const context: DecodeContext<State> = {
        transport: this.#transport,
        state: this.#state,
        options: this.#options,
        now,
        scan: this.#scan,
      };
      this.#scan = undefined;
      let result: FrameResult;
      try {
        result = this.#frame(head, context);
      } catch (error) {
        this.#loseStream(error, steps);
        return bytes.length;
      }
      const passed =
        result.type === 'wait'
          ? this.#wait(result, head, context.scan, steps)
          : this.#take(result, head, context, steps);
      if (passed === 0) return this.#lost ? bytes.length : at;
      at += passed;
      this.#passed(passed);
    }
    return at;
  }

  /** Passes over what follows the last frame of the bytes that may; returns how many. */
  #passFollowing(bytes: Uint8Array, from: number): number {
    let count = 0;
    while (count < this.#mayFollow.length && from + count < bytes.length) {
      if (bytes[from + count] !== this.#mayFollow[count]) {
        this.#mayFollow = NOTHING_FOLLOWS;
        break;
      }
      count++;
    }
    this.#mayFollow = this.#mayFollow.slice(count);
    this.#followed += count;
    this.#scan = moved(this.#scan, count);
    this.#passed(count);
    return count;
  }

  /** Returns 0 to wait for more bytes, or the number of bytes to skip if a frame must not be longer. */
  #wait(result: FrameResult & { type: 'wait' }, head: Uint8Array, scan: Scan | undefined, steps: DriverStep[]): number {
    const wanted = Math.max(result.atLeast ?? 0, head.length + 1);
    if (wanted <= this.#maxFrameBytes) {
      this.#wanted = wanted;
      this.#scan = result.scan ?? moved(scan, 0);
      return 0;
    }
    if (this.protocol.resync === 'none') {
      const error = new CodecError('frame-too-large', `more than ${this.#maxFrameBytes} bytes`, 0);
      this.#loseStream(error, steps);
      return 0;
    }
    skipped(steps, head, 1);
    return 1;
  }

  /** Takes a frame or skipped bytes; returns where the search continues. */
  #take(
    result: Exclude<FrameResult, { type: 'wait' }>,
    head: Uint8Array,
    context: DecodeContext<State>,
    steps: DriverStep[],
  ): number {
    if (result.type === 'skip') {
      const count = Math.min(Math.max(result.bytes, 1), head.length);
      skipped(steps, head, count);
      this.#scan = result.scan ?? moved(context.scan, count);
      return count;
    }
    const { start, end } = result;
    if (start > 0) skipped(steps, head, start);
    const raw = start === 0 && end === head.length ? head : head.subarray(start, end);
    const isDecoded = this.#read(raw, result.content ?? raw, context, steps);
    const isSearched = !isDecoded && this.#maySearchAgain(end);
    const passed = Math.max((isSearched ? result.resumeAt : undefined) ?? end, 1);
    if (isDecoded && result.mayFollow !== undefined) this.#mayFollow = result.mayFollow;
    this.#scan = (isSearched ? result.scan : undefined) ?? moved(context.scan, passed);
    return passed;
  }

  /**
   * Whether a refused frame of `bytes` bytes may be searched for others. Every byte of the stream gives credit for one,
   * when it is first part of a refused frame or passed; so frames that overlap cannot cost more than twice their bytes,
   * and the decision depends on the bytes alone, not on how they arrived.
   */
  #maySearchAgain(bytes: number): boolean {
    this.#giveCredit(bytes);
    if (this.#credit < bytes) return false;
    this.#credit -= bytes;
    return true;
  }

  /** For the bytes from the head on that have given none yet. */
  #giveCredit(bytes: number): void {
    if (bytes <= this.#credited) return;
    const most = MAX_CREDIT_FRAMES * this.#maxFrameBytes;
    this.#credit = Math.min(most, this.#credit + bytes - this.#credited);
    this.#credited = bytes;
  }

  #passed(bytes: number): void {
    this.#giveCredit(bytes);
    this.#credited -= bytes;
  }

  /** False when the checksum refuses the frame. */
  #read(raw: Uint8Array, frame: Uint8Array, context: DecodeContext<State>, steps: DriverStep[]): boolean {
    if (this.#verify?.(frame, context) === false && !this.#isLenient()) {
      steps.push({ type: 'bad-checksum', bytes: raw });
      return false;
    }
    try {
      let decoded = this.#decode(frame, context);
      if (this.#learnOptions(decoded.messages)) decoded = this.#decode(frame, { ...context, options: this.#options });
      this.#state = decoded.state;
      steps.push({ type: 'frame', bytes: raw, messages: decoded.messages, replies: decoded.replies });
    } catch (thrown) {
      const error = this.#asCodecError(thrown);
      const replies = this.protocol.acknowledgeUndecoded?.(frame, context) ?? [];
      steps.push({ type: 'undecoded', bytes: raw, error, replies });
    }
    return true;
  }

  /** The device's frames count although their checksum is wrong: an option of some protocols. */
  #isLenient(): boolean {
    return this.protocol.options['lenientChecksum'] !== undefined && this.#options['lenientChecksum'] === true;
  }

  /** True when the frame names a device whose options are other than those that it was decoded with. */
  #learnOptions(messages: readonly Message[]): boolean {
    if (this.#settings.optionsFor === undefined) return false;
    const first = messages[0];
    if (first?.type !== 'login') return false;
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

/** What a search has found out, from `count` bytes later on. */
function moved(scan: Scan | undefined, count: number): Scan | undefined {
  if (scan?.movable !== true || scan.to <= count) return undefined;
  const { by, to, inner = 0 } = scan;
  return { by, to: to - count, inner: Math.max(0, inner - count), movable: true };
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
