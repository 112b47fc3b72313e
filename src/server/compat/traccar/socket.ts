import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../../platform/log.ts';
import type { App } from '../../kernel/http/index.ts';
import type { TraccarDevice } from './device.ts';
import { eventOf, sessionEvent } from './events.ts';
import { toTraccarPosition } from './position.ts';
import type { Context } from './request.ts';
import { isOwnSite, sessionCookieOf } from './sign-in/cookies.ts';
import type { Caller, SignIn } from './sign-in/service.ts';
import { readEvents, type StreamEvent } from './stream-events.ts';

const PATH = '/api/socket';
/** maximum size of a client message, bytes; clients send none */
const MAX_RECEIVED_BYTES = 4_096;
/**
 * maximum bytes that wait for a client; beyond it the client is disconnected, reconnects and receives the newest
 * positions
 */
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024;
const KEEP_ALIVE_MS = 30_000;
const RETRY = 'Retry-After: 1\r\n';
const POLICY_VIOLATION = 1008;
const SERVICE_RESTART = 1012;

export interface SocketDeps {
  readonly signIn: SignIn;
  readonly log: Log;
  readonly createContext: (caller: Caller) => Context;
}

/** `/api/socket`: positions, devices and events as they occur, from the event stream of this API. */
export function addSocket(app: App, { signIn, log, createContext }: SocketDeps): void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_RECEIVED_BYTES, clientTracking: true });
  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    accept(request, socket, head).catch((error: Error) => {
      log.warn({ reason: error.message }, 'a WebSocket could not be opened');
      refuse(socket, '503 Service Unavailable', RETRY);
    });
  });
  const keepAlive = setInterval(() => {
    for (const client of sockets.clients) client.ping();
  }, KEEP_ALIVE_MS);
  app.addHook('preClose', async () => {
    clearInterval(keepAlive);
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });

  async function accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server');
    if (pathname !== PATH) return refuse(socket, '404 Not Found');
    const { headers } = request;
    if (!isOwnSite(headers, headers.host ?? '')) return refuse(socket, '403 Forbidden');
    const secret =
      /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ??
      searchParams.get('token') ??
      sessionCookieOf(headers);
    const address = request.socket.remoteAddress ?? '';
    const find = async (): Promise<Caller | undefined> =>
      secret === undefined ? undefined : signIn.find(secret, address);
    const caller = await find();
    if (caller === undefined) return refuse(socket, '401 Unauthorized');
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => {});
      serve(client, find, createContext).catch((error: Error) => {
        log.warn({ reason: error.message }, 'a WebSocket was closed');
        client.close(SERVICE_RESTART);
      });
    });
  }
}

function refuse(socket: Duplex, status: string, headers = ''): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n${headers}\r\n`);
}

/**
 * Sends what occurs until the client leaves or its session ends. Credentials of the stream are replaced as they expire.
 */
async function serve(
  client: WebSocket,
  find: () => Promise<Caller | undefined>,
  createContext: (caller: Caller) => Context,
): Promise<void> {
  const leaving = new AbortController();
  client.once('close', () => leaving.abort());
  let lastId: string | undefined;
  while (!leaving.signal.aborted) {
    const caller = await find();
    if (caller === undefined) return client.close(POLICY_VIOLATION, 'The session has ended');
    const context = createContext(caller);
    const resume = lastId === undefined ? '' : `&lastEventId=${encodeURIComponent(lastId)}`;
    const messages = new Messages(context);
    try {
      const path = `/v1/events?types=position,session,notification${resume}`;
      const stream = await context.operations.stream(path, leaving.signal);
      if (lastId === undefined) send(client, await messages.latest());
      for await (const { id, events } of readEvents(stream)) {
        lastId = id ?? lastId;
        const message = await messages.of(events);
        if (message !== undefined) send(client, message);
        if (client.bufferedAmount + stream.readableLength > MAX_WAITING_BYTES) return client.terminate();
      }
    } catch (error) {
      if (!leaving.signal.aborted) throw error;
    }
  }
}

const send = (client: WebSocket, message: object): void => client.send(JSON.stringify(message));

interface Message {
  readonly positions?: readonly object[];
  readonly devices?: readonly object[];
  readonly events?: readonly object[];
}

/** Makes messages of events. */
class Messages {
  readonly #context: Context;
  readonly #devices = new Map<string, TraccarDevice>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** What a client is sent first. */
  async latest(): Promise<Message> {
    const fleet = await this.#context.fleet.all();
    for (const { imei, device } of fleet) this.#devices.set(imei, device);
    return { positions: fleet.flatMap(({ position }) => position ?? []) };
  }

  /** Undefined if there is nothing in them for Traccar's clients. */
  async of(events: readonly StreamEvent[]): Promise<Message | undefined> {
    const positions: object[] = [];
    const devices = new Map<string, TraccarDevice>();
    const occurred: object[] = [];
    for (const { type, data } of events) {
      if (type === 'notification') occurred.push((await eventOf(this.#context, data)) ?? []);
      if (type === 'session') {
        devices.set(data.imei, await this.#read(data.imei));
        occurred.push(await sessionEvent(this.#context, data));
      }
      if (type !== 'position') continue;
      const { imei } = data;
      const device = this.#devices.get(imei) ?? (await this.#read(imei));
      const position = toTraccarPosition(data, device.id);
      if (position === undefined) continue;
      positions.push(position);
      const updated = { ...device, lastUpdate: position.serverTime, positionId: position.id };
      this.#devices.set(imei, updated);
      devices.set(imei, updated);
    }
    const found = occurred.flat();
    if (devices.size === 0 && found.length === 0) return undefined;
    return {
      ...(positions.length === 0 ? {} : { positions }),
      ...(devices.size === 0 ? {} : { devices: [...devices.values()] }),
      ...(found.length === 0 ? {} : { events: found }),
    };
  }

  async #read(imei: string): Promise<TraccarDevice> {
    const { device } = await this.#context.fleet.one(imei);
    this.#devices.set(imei, device);
    return device;
  }
}
