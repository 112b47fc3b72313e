/** A batch's place in the queue of its spool. */
export interface QueueSlot {
  /** The batch before it has been sent to the database, or is finished. */
  readonly previousSent: Promise<void>;
  /** The batch before it is stored or has failed. */
  readonly previousFinished: Promise<void>;
  /** This batch has been sent: the next one may follow it on the same connection. */
  sent(): void;
  /** This batch is stored or has failed. */
  finish(): void;
}

/** First in, first out: batches of one spool are prepared concurrently, but sent and stored in the order of arrival. */
export interface SpoolQueue {
  enter(): QueueSlot;
}

export function createSpoolQueue(): SpoolQueue {
  let last: { readonly sent: Promise<void>; readonly finished: Promise<void> } | undefined;
  return {
    enter() {
      const { promise: isSent, resolve: sent } = deferred();
      const { promise: isFinished, resolve: finished } = deferred();
      const previous = last;
      const own = { sent: isSent, finished: isFinished };
      last = own;
      return {
        previousSent: previous?.sent ?? Promise.resolve(),
        previousFinished: previous?.finished ?? Promise.resolve(),
        sent,
        finish() {
          sent();
          finished();
          if (last === own) last = undefined;
        },
      };
    },
  };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
