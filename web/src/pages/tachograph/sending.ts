import { CONSOLE_HEADERS, toLogin } from '../../api.ts';

export interface Result {
  readonly name: string;
  readonly outcome: 'stored' | 'duplicate' | 'rejected';
  readonly problem?: { readonly detail: string } | null;
}

/** Files that are sent in one request, or that the server has answered about. */
export interface Batch {
  readonly id: number;
  readonly name: string;
  readonly files: number;
  readonly state: 'queued' | 'sending' | 'busy' | 'unanswered' | 'answered';
  /** 0 to 1 of the bytes that have been sent */
  readonly progress: number;
  readonly results: readonly Result[];
}

export interface Sendings {
  /** newest first */
  readonly batches: readonly Batch[];
  /** uploads in the background, newest first */
  readonly jobs: readonly string[];
}

/** A file of at most so many bytes alone is answered about at once; all others become an upload in the background. */
const SMALL_BYTES = 1_048_576;
const BATCH_FILES = 200;
const BATCH_BYTES = 100 * 1_048_576;
/** the server works on so many uploads that it takes no other now */
const BUSY = 429;
const AGAIN_MS = 3_000;
const MOST_JOBS = 20;

interface Answer {
  /** 0: none has come */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: one of three forms, or what a proxy says
  readonly body: any;
}

/** fetch does not report how much has been sent, XMLHttpRequest does. */
function post(files: readonly File[], isBackground: boolean, onProgress: (share: number) => void): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    for (const file of files) form.append('file', file, file.name);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => resolve({ status: 0, body: undefined });
    request.onload = () => {
      if (request.status === 401) toLogin();
      resolve({ status: request.status, body: request.response });
    };
    request.open('POST', `/v1/drivers/ddd${isBackground ? '?background=true' : ''}`);
    request.responseType = 'json';
    for (const [name, value] of Object.entries(CONSOLE_HEADERS)) request.setRequestHeader(name, value);
    request.send(form);
  });
}

function inBatches(files: readonly File[]): File[][] {
  const batches: File[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (bytes + file.size > BATCH_BYTES || batches.at(-1)?.length === BATCH_FILES) {
      batches.push([]);
      bytes = 0;
    }
    bytes += file.size;
    batches.at(-1)!.push(file);
  }
  return batches;
}

function read(key: string): string[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
const pause = (ms: number): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, ms));

/** What a user sends goes on while other pages are shown; what the server has taken is found again after a log-in. */
export class Sender {
  readonly #key: string;
  #snapshot: Sendings;
  #lastId = 0;
  #last: Promise<void> = Promise.resolve();
  readonly #listeners = new Set<() => void>();

  constructor(userId: string) {
    this.#key = `fleetgate-uploads-${userId}`;
    this.#snapshot = { batches: [], jobs: read(this.#key) };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Sendings => this.#snapshot;

  /** One batch after the other. Resolves when all have been answered. */
  take(files: readonly File[]): Promise<void> {
    const batches = inBatches(files).map((batch) => ({ batch, id: ++this.#lastId }));
    const rows = batches.map(
      ({ batch, id }): Batch => ({
        id,
        name: batch[0]!.name,
        files: batch.length,
        state: 'queued',
        progress: 0,
        results: [],
      }),
    );
    this.#set({ batches: [...rows.reverse(), ...this.#snapshot.batches] });
    for (const { batch, id } of batches) this.#last = this.#last.then(() => this.#send(batch, id));
    return this.#last;
  }

  forgetJob(id: string): void {
    this.#set({ jobs: this.#snapshot.jobs.filter((each) => each !== id) });
  }

  forgetBatch(id: number): void {
    this.#set({ batches: this.#snapshot.batches.filter((each) => each.id !== id) });
  }

  async #send(files: readonly File[], id: number): Promise<void> {
    const isBackground = files.length > 1 || files[0]!.size > SMALL_BYTES;
    const change = (more: Partial<Batch>): void =>
      this.#set({ batches: this.#snapshot.batches.map((each) => (each.id === id ? { ...each, ...more } : each)) });
    change({ state: 'sending' });
    const { status, body } = await post(files, isBackground, (progress) => change({ progress }));
    if (status === BUSY) {
      change({ state: 'busy', progress: 0 });
      await pause(AGAIN_MS);
      return this.#send(files, id);
    }
    if (status === 200 && typeof body?.uploadId === 'string') {
      const { batches, jobs } = this.#snapshot;
      this.#set({
        batches: batches.filter((each) => each.id !== id),
        jobs: [body.uploadId, ...jobs].slice(0, MOST_JOBS),
      });
    } else if (status === 0) change({ state: 'unanswered' });
    else change({ state: 'answered', progress: 1, results: resultsOf(files, { status, body }) });
  }

  #set(more: Partial<Sendings>): void {
    this.#snapshot = { ...this.#snapshot, ...more };
    if (more.jobs !== undefined) window.localStorage.setItem(this.#key, JSON.stringify(more.jobs));
    const isOpen = this.#snapshot.batches.some(({ state }) => ['queued', 'sending', 'busy'].includes(state));
    if (isOpen) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
    for (const listener of this.#listeners) listener();
  }
}

function resultsOf(files: readonly File[], { status, body }: Answer): readonly Result[] {
  const { name } = files[0]!;
  if (status !== 200) {
    const detail = body?.detail ?? body?.title ?? `HTTP ${status}`;
    return files.map((file) => ({ name: file.name, outcome: 'rejected', problem: { detail } }));
  }
  return Array.isArray(body.results) ? body.results : [{ name, outcome: body.duplicate ? 'duplicate' : 'stored' }];
}

let current: { readonly userId: string; readonly sender: Sender } | undefined;

export function senderOf(userId: string): Sender {
  if (current?.userId !== userId) current = { userId, sender: new Sender(userId) };
  return current.sender;
}
