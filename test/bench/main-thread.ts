import type { Browser, CDPSession } from 'playwright-core';

export interface ThreadTasks {
  /** processor time of the thread: other load on the machine does not add to it */
  readonly cpuMs: number;
  readonly longestCpuMs: number;
  /** elapsed time, in which the thread may have waited for a processor */
  readonly wallMs: number;
  readonly longestWallMs: number;
}

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** microseconds */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

const TASK = 'ThreadControllerImpl::RunTask';
const MAIN = 'CrRendererMain';

/** Records tasks of all threads from now on. Returns how to end it and get those of the page's main thread. */
export async function recordTasks(browser: Browser): Promise<() => Promise<ThreadTasks>> {
  const session = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value as unknown as TraceEvent[]) {
      if (event.name === TASK || event.name === 'thread_name') events.push(event);
    }
  });
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'], excludedCategories: ['*'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    await session.detach();
    return busiestMain(events);
  };
}

/** Chromium keeps spare renderers, which do nothing. */
function busiestMain(events: readonly TraceEvent[]): ThreadTasks {
  const keyOf = ({ pid, tid }: TraceEvent): string => `${pid}/${tid}`;
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === MAIN).map(keyOf);
  const threads = new Map(mains.map((key) => [key, { cpuMs: 0, longestCpuMs: 0, wallMs: 0, longestWallMs: 0 }]));
  for (const event of events) {
    const thread = threads.get(keyOf(event));
    if (thread === undefined || event.ph !== 'X' || event.name !== TASK) continue;
    const [cpuMs, wallMs] = [(event.tdur ?? 0) / 1_000, (event.dur ?? 0) / 1_000];
    thread.cpuMs += cpuMs;
    thread.wallMs += wallMs;
    thread.longestCpuMs = Math.max(thread.longestCpuMs, cpuMs);
    thread.longestWallMs = Math.max(thread.longestWallMs, wallMs);
  }
  const [busiest] = [...threads.values()].sort((a, b) => b.cpuMs - a.cpuMs);
  if (busiest === undefined || busiest.cpuMs === 0) throw new Error('the trace has no task of a main thread');
  return busiest;
}

/** Bytes of the page that are in use after a garbage collection: JavaScript objects, and what the browser holds for them. */
export async function bytesInUse(session: CDPSession): Promise<number> {
  // objects that are kept for finalizers are free after the second one
  for (let n = 0; n < 2; n++) await session.send('HeapProfiler.collectGarbage');
  const usage = await session.send('Runtime.getHeapUsage');
  return usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize;
}
