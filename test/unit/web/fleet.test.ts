import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';

/** The types of browsers, which these need, are not those of the tests. */
interface ConsoleFleet {
  onEvent(listener: (event: { readonly type: string }) => void): () => void;
  start(): () => void;
  snapshot(): {
    readonly stream: string;
    readonly loaded: boolean;
    readonly problem: string | undefined;
    readonly vehicles: readonly { readonly status: string; readonly lastPosition: { readonly id: string } }[];
  };
}
const source = join(import.meta.dirname, '..', '..', '..', 'web', 'src');
const { api } = (await import(join(source, 'api.ts'))) as { api: { GET(): unknown } };
const { Fleet } = (await import(join(source, 'fleet.ts'))) as { Fleet: new () => ConsoleFleet };

interface Connection {
  send(text: string): void;
  cut(): void;
}

const position = (minute: number) => ({
  id: `p${minute}`,
  imei: '1',
  valid: true,
  latitude: 45,
  longitude: 9,
  speed: 0,
  fixTime: `2026-11-01T08:0${minute}:00Z`,
  attributes: {},
});
const frame = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Answers in place of a server: a stream that the test cuts, and lists of vehicles that it gives one by one. */
function serve() {
  const streams: Connection[] = [];
  const lists: ((newest: number) => void)[] = [];
  vi.stubGlobal('window', globalThis);
  const list = () =>
    new Promise((resolve) => {
      lists.push((newest) => {
        const items = [{ targa: 'A', imei: '1', status: 'parked', motion: 'parked', lastPosition: position(newest) }];
        resolve({ data: { items, nextCursor: null }, response: new Response() });
      });
    });
  vi.spyOn(api, 'GET').mockImplementation(list);
  vi.stubGlobal('fetch', () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        streams.push({
          send: (text) => controller.enqueue(new TextEncoder().encode(text)),
          cut: () => controller.close(),
        });
      },
    });
    return Promise.resolve(new Response(body));
  });
  return { streams, lists };
}

let end: (() => void) | undefined;
afterEach(() => {
  end?.();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('reads what is shown again at each connection of the stream, also where no event has come before it was cut', async () => {
  const { streams, lists } = serve();
  const fleet = new Fleet();
  const events: string[] = [];
  fleet.onEvent(({ type }) => void events.push(type));
  end = fleet.start();
  await expect.poll(() => events).toEqual(['gap']);
  lists[0]!(1);
  await expect.poll(() => fleet.snapshot().loaded).toBe(true);
  streams[0]!.cut();
  await expect.poll(() => fleet.snapshot().stream).toBe('cut');
  await expect.poll(() => events, { timeout: 20_000 }).toEqual(['gap', 'gap']);
  expect(fleet.snapshot().stream).toBe('connected');
  expect(lists).toHaveLength(2);
});

it('keeps a position that arrives while an older list is read', async () => {
  const { streams, lists } = serve();
  const fleet = new Fleet();
  const events: string[] = [];
  fleet.onEvent(({ type }) => void events.push(type));
  end = fleet.start();
  await expect.poll(() => lists.length).toBe(1);
  streams[0]!.send(frame('position', position(5)));
  await expect.poll(() => events).toContain('position');
  lists[0]!(3);
  await expect.poll(() => fleet.snapshot().loaded).toBe(true);
  expect(fleet.snapshot().vehicles[0]?.lastPosition?.id).toBe('p5');
});

it('reads the vehicles again by itself if the server was away while the stream was connected', async () => {
  const { lists } = serve();
  vi.spyOn(api, 'GET').mockRejectedValueOnce(new TypeError('fetch failed'));
  const fleet = new Fleet();
  end = fleet.start();
  await expect.poll(() => fleet.snapshot().problem).toBe('no answer');
  expect(fleet.snapshot().stream).toBe('connected');
  await expect.poll(() => lists.length, { timeout: 20_000 }).toBe(1);
  lists[0]!(1);
  await expect.poll(() => fleet.snapshot()).toMatchObject({ loaded: true, problem: undefined });
});

it('shows the motion that the API reports, keeps idling without a value of the ignition, and shows it again after a loss of the connection', async () => {
  const { streams, lists } = serve();
  const fleet = new Fleet();
  end = fleet.start();
  await expect.poll(() => lists.length).toBe(1);
  lists[0]!(1);
  await expect.poll(() => fleet.snapshot().loaded).toBe(true);
  const status = () => fleet.snapshot().vehicles[0]?.status;
  const after = async (type: string, data: object, expected: string) => {
    streams[0]!.send(frame(type, data));
    await expect.poll(status, { timeout: 5_000 }).toBe(expected);
  };
  await after('position', { ...position(2), motion: 'moving' }, 'moving');
  await after('position', { ...position(3), motion: 'idle' }, 'idle');
  // stationary, without a value of the ignition: it is still idle when the device is connected again
  streams[0]!.send(frame('position', position(4)));
  await after('session', { imei: '1', state: 'offline' }, 'offline');
  await after('session', { imei: '1', state: 'online' }, 'idle');
  await after('position', { ...position(5), motion: 'moving' }, 'moving');
  await after('position', position(6), 'parked');
});
