import { CONSOLE_HEADERS, toLogin } from './api.ts';
import { type StreamEvent, takeFrames } from './frames.ts';

export type StreamState = 'connecting' | 'connected' | 'cut';

const RETRY_MS = 2_000;
/** the server sends a comment every 15 s */
const SILENT_MS = 40_000;
const WATCH_MS = 5_000;

/** Follows /v1/events and connects again after the last event that has arrived. Returns how to end it. */
export function followEvents(onEvent: (event: StreamEvent) => void, onState: (state: StreamState) => void): () => void {
  const ended = new AbortController();
  let lastId: string | undefined;
  const connect = async (): Promise<void> => {
    const silent = new AbortController();
    let heardAt = performance.now();
    const watchdog = window.setInterval(() => {
      if (performance.now() - heardAt > SILENT_MS) silent.abort();
    }, WATCH_MS);
    try {
      const headers = { ...CONSOLE_HEADERS, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
      const signal = AbortSignal.any([ended.signal, silent.signal]);
      const response = await fetch('/v1/events', { headers, signal });
      if (response.status === 401) toLogin();
      if (!response.ok || response.body === null) throw new Error(`HTTP ${response.status}`);
      onState('connected');
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        heardAt = performance.now();
        rest = takeFrames(rest + value, (event, id) => {
          lastId = id ?? lastId;
          onEvent(event);
        });
      }
    } finally {
      window.clearInterval(watchdog);
    }
  };
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await connect().catch(() => {});
      if (ended.signal.aborted) return;
      onState('cut');
      await new Promise((resolve) => window.setTimeout(resolve, RETRY_MS));
    }
  };
  void run();
  return () => ended.abort();
}
