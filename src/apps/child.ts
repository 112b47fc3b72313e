import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lifecycle of the API and the gateway, under the supervisor or alone. Both call `initChild` first, `onStop` once they have
 * something to stop, and `reportReady` when all they serve is open:
 *
 *     onStop(async () => { …close in order… });
 *     await listen();
 *     reportReady({ listens: [{ what: 'REST API', where: 'http://127.0.0.1:8080' }] });
 *
 * Under a supervisor the stop comes as a message, and the end of its channel (it died, even by kill -9) ends the child
 * at once. Its process group gets Ctrl-C too, which is the supervisor's to act on. A SIGTERM meant for the child alone
 * is passed up: the supervisor stops the child, and starts it again. Alone, SIGINT and SIGTERM stop it.
 */

export interface Listening {
  /** e.g. `REST API`, `every protocol (TCP and UDP)` */
  readonly what: string;
  /** e.g. `http://127.0.0.1:8080`, `127.0.0.1:5300` */
  readonly where: string;
}

export interface ReadyReport {
  /** the HTTP port of this process, also if PORT is 0 */
  readonly port: number;
  readonly listens: readonly Listening[];
}

/** Child → supervisor. */
export type ChildMessage =
  | ({ readonly type: 'ready' } & ReadyReport)
  | { readonly type: 'signalled'; readonly signal: NodeJS.Signals };

/** Supervisor → child. */
export interface StopMessage {
  readonly type: 'stop';
}

/**
 * Exit code of a process that cannot run as it is set up (a wrong setting, a busy port that was asked for) and has said
 * why: starting it again would not help.
 */
export const EXIT_SETUP = 78;

let stopping: Promise<void> | undefined;
/** a second signal, or Ctrl-C, ends the waits of a stop */
const hurry = new AbortController();

/** Waits for so long, or until the stop is asked for a second time. */
export const hurried = (ms: number): Promise<void> =>
  ms <= 0 ? Promise.resolve() : sleep(ms, undefined, { signal: hurry.signal }).catch(() => undefined);

let stopper: (() => Promise<void>) | undefined;
let failed: (error: unknown) => void = () => undefined;

/** Whether a supervisor started this process. */
export const isSupervised = (): boolean => process.send !== undefined;

/** Makes this process follow its supervisor, or signals where it has none. `onFailure` logs a failed stop. */
export function initChild(onFailure: (error: unknown) => void): void {
  failed = onFailure;
  if (!isSupervised()) {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
    return;
  }
  process.on('disconnect', () => process.exit(1));
  process.on('message', (message: StopMessage) => {
    if (message?.type === 'stop') void stop();
  });
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('SIGTERM', (signal) => sendToSupervisor({ type: 'signalled', signal }));
}

/** What stops this process in order. It is called once; the process ends after it. */
export function onStop(stopInOrder: () => Promise<void>): void {
  stopper = stopInOrder;
}

/** Reports to the supervisor, if there is one, that everything is open. */
export function reportReady(report: ReadyReport): void {
  sendToSupervisor({ type: 'ready', ...report });
}

function sendToSupervisor(message: ChildMessage): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function stop(): Promise<void> {
  if (stopping !== undefined) hurry.abort();
  stopping ??= (async () => {
    let code = 0;
    try {
      await stopper?.();
    } catch (error) {
      failed(error);
      code = 1;
    }
    process.exit(code);
  })();
  return stopping;
}
