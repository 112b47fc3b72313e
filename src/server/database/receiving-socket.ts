import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net';

const BUFFER_BYTES = 256 * 1024;
/** For chunks that are smaller the next one is waited for: a server sends 8 KB at a time, and each costs as much as a large one. */
const MIN_DIRECT_READ_BYTES = BUFFER_BYTES / 2;
const WAIT_MS = 4;

/**
 * A socket that receives into one buffer instead of into memory of its own for each chunk, for sessions through which much
 * passes: V8 looks for garbage whenever some megabytes were allocated outside of its heap (decision 0027).
 */
export class ReceivingSocket extends Socket {
  /** Chunks are large, and views of the buffer, for listeners that keep nothing of them. Otherwise they are copies. */
  lends = false;

  constructor() {
    const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
      onread: {
        buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
        callback: (bytes, buffer) => {
          const chunk = (buffer as Buffer).subarray(0, bytes);
          this.emit('data', this.lends ? chunk : Buffer.from(chunk));
          if (!this.lends || bytes >= MIN_DIRECT_READ_BYTES) return true;
          setTimeout(this.#readOn, WAIT_MS);
          // stops reading; the operating system receives meanwhile
          return false;
        },
      },
    };
    // its types know `onread` for connect() alone
    super(options);
  }

  readonly #readOn = (): void => {
    if (!this.isPaused()) this.resume();
  };
}
