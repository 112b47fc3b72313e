import type pg from 'pg';
import type { Place } from '../../ingest/feed/index.ts';
import type { Rejection, StreamMessage, StreamSender } from '../brokers/index.ts';
import * as store from './store.ts';

export interface DeliveryDeps {
  readonly pool: pg.Pool;
  /** of this process */
  readonly owner: string;
  readonly open: (stream: store.StreamRow) => Promise<StreamSender>;
  readonly settings: { readonly batchSize: number; readonly deadLettersKept: number };
}

/** Sends messages of a stream over a connection that is opened on demand, and saves the progress. */
export interface Delivery {
  /** Sends messages, saves rejected ones as dead letters, and moves the cursor to `to`. */
  deliver(messages: readonly StreamMessage[], to?: Place): Promise<void>;
  /** Sends dead letters that are due. */
  resendLetters(): Promise<void>;
  /** Ends the connection: the next message opens another one. */
  disconnect(): Promise<void>;
  stop(): Promise<void>;
  isStopped(): boolean;
}

export function createDelivery(stream: store.StreamRow, { pool, owner, open, settings }: DeliveryDeps): Delivery {
  let sender: StreamSender | undefined;
  let isStopped = false;

  const disconnect = async (): Promise<void> => {
    const open = sender;
    sender = undefined;
    await open?.close();
  };
  const sendAll = async (messages: readonly StreamMessage[]): Promise<Rejection[]> => {
    const rejected: Rejection[] = [];
    for (let at = 0; at < messages.length; at += settings.batchSize) {
      if (isStopped) throw new Error('the stream is closed');
      sender ??= await open(stream);
      rejected.push(...(await sender.send(messages.slice(at, at + settings.batchSize))));
    }
    return rejected;
  };
  const save = async (progress: store.Progress): Promise<void> => {
    if (await store.saveProgress(pool, stream.id, owner, progress)) return;
    isStopped = true;
    throw new Error('another process sends this stream by now');
  };
  return {
    async deliver(messages, to) {
      const rejected = await sendAll(messages);
      await save({ sent: messages.length - rejected.length, rejected, to });
      if (rejected.length > 0) await store.trimDeadLetters(pool, stream.id, settings.deadLettersKept);
    },
    async resendLetters() {
      const letters = await store.readDueLetters(pool, stream.id, settings.batchSize);
      if (letters.length === 0) return;
      const numbers = numbersOf(letters);
      const rejected = await sendAll([...numbers.keys()]);
      const again = rejected.map(({ message, reason }) => ({ number: numbers.get(message)!, reason }));
      const isAgain = new Set(again.map(({ number }) => number));
      const sent = [...numbers.values()].filter((number) => !isAgain.has(number));
      await store.settleLetters(pool, sent, again);
      await save({ sent: sent.length, rejected: [], to: undefined });
    },
    disconnect,
    async stop() {
      isStopped = true;
      await disconnect();
    },
    isStopped: () => isStopped,
  };
}

/** Messages of dead letters, mapped to the ids of the dead letters. */
function numbersOf(letters: Awaited<ReturnType<typeof store.readDueLetters>>): Map<StreamMessage, number> {
  const numbers = new Map<StreamMessage, number>();
  for (const { number, messageId, kind, device, tenant, at, body } of letters) {
    numbers.set({ id: messageId, kind, device: device ?? undefined, tenant, at, body }, number);
  }
  return numbers;
}
