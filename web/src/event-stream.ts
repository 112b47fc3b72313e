import { CONSOLE_HEADERS, toLogin } from './api.ts';

export interface StreamEvent {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own members
  readonly data: any;
}

export type StreamState = 'connecting' | 'connected' | 'cut';

const RETRY_MS = 2_000;
/** the server sends a comment every 15 s */
const SILENT_MS = 40_000;

/** Takes frames of server-sent events apart. Returns the rest that is not complete yet. */
export function takeFrames(text: string, take: (event: StreamEvent, id: string | undefined) => void): string {
  const frames = text.split('\n\n');
  const rest = frames.pop() ?? '';
  for (const frame of frames) {
    const fields = new Map(
      frame.split('\n').map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
      }),
    );
    const [type, data] = [fields.get('event'), fields.get('data')];
    if (type !== undefined && data !== undefined) take({ type, data: JSON.parse(data) }, fields.get('id'));
  }
  return rest;
}

/** Follows /v1/events and connects again after the last event that has arrived. Returns how to end it. */
export function followEvents(onEvent: (event: StreamEvent) => void, onState: (state: StreamState) => void): () => void {
  const ended = new AbortController();
  let lastId: string | undefined;
  const connect = async (): Promise<void> => {
    const silent = new AbortController();
    let watchdog: number | undefined;
    const heard = (): void => {
      window.clearTimeout(watchdog);
      watchdog = window.setTimeout(() => silent.abort(), SILENT_MS);
    };
    try {
      heard();
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
        heard();
        rest = takeFrames(rest + value, (event, id) => {
          lastId = id ?? lastId;
          onEvent(event);
        });
      }
    } finally {
      window.clearTimeout(watchdog);
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
