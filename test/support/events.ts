import { type IncomingMessage, request } from 'node:http';

export interface HeardEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events freely
  readonly data: any;
}

/** A client of server-sent events. */
export interface EventStream {
  /** The next event; rejects where the stream ends. */
  next(): Promise<HeardEvent>;
  /** Reads no more until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Opens a stream; resolves when its head has come. */
export function openEvents(url: string, headers: Readonly<Record<string, string>>): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      // the first line says that the stream is held
      else resolve(read(response, () => sent.destroy()));
    });
    sent.on('error', reject);
    sent.end();
  });
}

function read(response: IncomingMessage, close: () => void): EventStream {
  const heard: HeardEvent[] = [];
  let waiting: { resolve(event: HeardEvent): void; reject(error: Error): void } | undefined;
  let isOver = false;
  let text = '';
  const take = (): void => {
    const { resolve } = waiting ?? {};
    const event = resolve === undefined ? undefined : heard.shift();
    if (event === undefined) return;
    waiting = undefined;
    resolve!(event);
  };
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const frames = text.split('\n\n');
    text = frames.pop()!;
    for (const frame of frames) {
      const fields = new Map(
        frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      const data = fields.get('data');
      if (data === undefined) continue;
      heard.push({ id: fields.get('id') ?? '', event: fields.get('event') ?? 'message', data: JSON.parse(data) });
    }
    take();
  });
  const ended = (): void => {
    isOver = true;
    waiting?.reject(new Error('the stream has ended'));
  };
  response.on('end', ended).on('error', ended).on('close', ended);
  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (isOver && heard.length === 0) reject(new Error('the stream has ended'));
        waiting = { resolve, reject };
        take();
      }),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close,
  };
}
