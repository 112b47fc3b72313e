import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createEnd, within } from '../../../../platform/deadline.ts';
import type { StreamContext, StreamTarget } from '../message.ts';
import { tlsOptions } from '../tls.ts';

/** larger than any response */
const MAX_UNREAD_BYTES = 65_536 * 2;
const SECURE = new Set(['wialons:', 'egtss:']);

/** Extracts the first frame of received bytes; undefined if incomplete. Throws if invalid. */
export type Cut<Frame> = (bytes: Buffer) => { readonly frame: Frame; readonly length: number } | undefined;

/** A connection to a receiver that answers in frames. */
export interface Link<Frame> {
  write(bytes: Uint8Array): void;
  /** The next frame. Throws if the connection ends, or none arrives in time. */
  read(): Promise<Frame>;
  isOpen(): boolean;
  /** Also aborts a running `read`. */
  close(): void;
}

/** Connects over TCP or TLS to the address that was checked. */
export async function openLink<Frame>(
  { url, options }: StreamTarget,
  { resolve, timeoutMs }: StreamContext,
  cut: Cut<Frame>,
): Promise<Link<Frame>> {
  const target = new URL(url);
  const name = target.hostname.replace(/^\[|\]$/g, '');
  const place = { host: await resolve(name), port: Number(target.port) };
  const isSecure = SECURE.has(target.protocol);
  const socket: Socket = isSecure ? connectTls({ ...place, ...tlsOptions(name, options) }) : connectTcp(place);
  socket.setNoDelay(true);
  const { ended, end } = createEnd();
  let isOpen = true;
  const finish = (reason: Error): void => {
    isOpen = false;
    end(reason);
    socket.destroy();
  };
  socket.on('error', finish);
  socket.on('close', () => finish(new Error('the receiver closed the connection')));
  const frames: Frame[] = [];
  let unread = Buffer.alloc(0);
  let notify: () => void = () => {};
  socket.on('data', (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    try {
      for (let taken = cut(unread); taken !== undefined; taken = cut(unread)) {
        frames.push(taken.frame);
        unread = unread.subarray(taken.length);
      }
      if (unread.length > MAX_UNREAD_BYTES || frames.length > MAX_UNREAD_BYTES)
        throw new Error('the receiver sends no answers');
    } catch (error) {
      finish(error as Error);
    }
    notify();
  });
  const connected = new Promise<void>((done) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => done());
  });
  try {
    await within(connected, timeoutMs, ended);
  } catch (error) {
    finish(error as Error);
    throw error;
  }
  return {
    write: (bytes) => void socket.write(bytes),
    async read() {
      if (frames.length === 0) {
        const arrived = new Promise<void>((done) => {
          notify = () => {
            if (frames.length > 0) done();
          };
        });
        await within(arrived, timeoutMs, ended);
      }
      return frames.shift()!;
    },
    isOpen: () => isOpen,
    close: () => finish(new Error('the stream is closed')),
  };
}

/**
 * Writes items with up to `most` unanswered ones; answers arrive in order. The next items are written as answers
 * arrive, so that a receiver that delays small answers (Nagle) sends them with the TCP acknowledgement.
 */
export async function sendInWindow<Item>(
  { write }: Pick<Link<unknown>, 'write'>,
  items: readonly Item[],
  most: number,
  { encode, answered }: { encode(item: Item): Uint8Array; answered(item: Item): Promise<void> },
): Promise<void> {
  let written = 0;
  for (const [at, item] of items.entries()) {
    const some = items.slice(written, at + most);
    written += some.length;
    if (some.length > 0) write(Buffer.concat(some.map(encode)));
    await answered(item);
  }
}
