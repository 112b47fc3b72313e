import { Readable } from 'node:stream';
import type { DeviceEntry, DownlinkLine, SessionTakenOver } from '../../../contract/events.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Listener } from '../../database/index.ts';
import type { DeviceList } from '../directory/index.ts';

export interface DownlinkService {
  /**
   * Opens the downlink of a gateway: hello, the whole device list, then changes. Throws if the database is unreachable.
   */
  open(gateway: string): Promise<Readable>;
  /** Ends all downlinks; gateways reconnect. */
  close(): void;
}

/** Sends commands on the downlink of a gateway while it is open. */
export interface CommandStreams {
  /** Returns a function that unregisters the stream. */
  open(gateway: string, send: (line: DownlinkLine) => void): Promise<() => void>;
}

export interface DownlinkDeps {
  readonly commands?: CommandStreams | undefined;
  readonly devices: DeviceList;
  readonly listener: Listener;
  readonly clock: Clock;
  readonly pingMs?: number;
}

const PING_MS = 10_000;
const PAGE = 500;
/** changes queued for a slow gateway; beyond it the stream ends and the gateway connects again */
const MAX_QUEUED = 50_000;

export function createDownlinkService(deps: DownlinkDeps): DownlinkService {
  const { listener, devices } = deps;
  const open = new Set<Held>();
  const endAll = (): void => {
    for (const held of open) held.end();
  };
  listener.on('fleetgate_device', (imei) => {
    for (const held of open) held.change(imei);
  });
  listener.on('fleetgate_device_list', endAll);
  listener.on('fleetgate_session_taken', (payload) => {
    const { gateway, ...taken } = JSON.parse(payload) as Omit<SessionTakenOver, 'type'> & { gateway: string };
    for (const held of open) if (held.gateway === gateway) held.send({ type: 'taken-over', ...taken });
  });
  listener.on('fleetgate_gateway_request', (payload) => {
    const { gateway, line } = JSON.parse(payload) as { gateway: string; line: DownlinkLine };
    for (const held of open) if (held.gateway === gateway) held.send(line);
  });
  // the missed changes are not known: the gateway reads the whole list again
  listener.onGap(endAll);
  return {
    async open(gateway) {
      const waiting = createPending();
      const held: Held = {
        gateway,
        send: (line) => {
          waiting.lines.push(line);
          if (waiting.lines.length > MAX_QUEUED) held.end();
          else waiting.wake();
        },
        change: (imei) => {
          waiting.changed.add(imei);
          if (waiting.changed.size > MAX_QUEUED) held.end();
          else waiting.wake();
        },
        end: () => {
          waiting.ended = true;
          waiting.wake();
        },
      };
      // added before the list is read, so that changes in the meantime are sent after the list
      open.add(held);
      try {
        const first = await devices.pageAfter(0, PAGE);
        const forget = await deps.commands?.open(gateway, held.send);
        return streamOf(linesOf(deps, waiting, first), () => {
          forget?.();
          open.delete(held);
          held.end();
        });
      } catch (error) {
        open.delete(held);
        throw error;
      }
    },
    close: endAll,
  };
}

interface Held {
  readonly gateway: string;
  readonly send: (line: DownlinkLine) => void;
  change(imei: string): void;
  end(): void;
}

/** Lines that have not been sent, and a sleep that can be interrupted. */
interface Pending {
  readonly changed: Set<string>;
  /** commands and related lines, in order */
  readonly lines: DownlinkLine[];
  ended: boolean;
  wake(): void;
  sleep(ms: number): Promise<void>;
}

function createPending(): Pending {
  let wake = (): void => {};
  return {
    changed: new Set(),
    lines: [],
    ended: false,
    wake: () => wake(),
    sleep: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

async function* linesOf(
  { clock, devices, pingMs = PING_MS }: DownlinkDeps,
  waiting: Pending,
  first: readonly (DeviceEntry & { readonly id: number })[],
): AsyncGenerator<DownlinkLine> {
  yield { type: 'hello', now: clock.now() };
  for (let page = first; page.length > 0; page = await devices.pageAfter(page.at(-1)!.id, PAGE)) {
    yield { type: 'devices', devices: page.map(({ id: _, ...entry }) => entry) };
  }
  yield* refusedOf(await devices.refused(undefined));
  yield { type: 'devices-end' };
  let nextPing = clock.monotonic() + pingMs;
  while (!waiting.ended) {
    const left = nextPing - clock.monotonic();
    if (waiting.lines.length > 0) {
      yield* waiting.lines.splice(0);
    } else if (waiting.changed.size > 0) {
      const imeis = [...waiting.changed].slice(0, PAGE);
      for (const imei of imeis) waiting.changed.delete(imei);
      yield* changesOf(imeis, devices);
    } else if (left <= 0) {
      nextPing = clock.monotonic() + pingMs;
      yield { type: 'ping', now: clock.now() };
    } else {
      await waiting.sleep(left);
    }
  }
}

async function* changesOf(imeis: readonly string[], devices: DeviceList): AsyncGenerator<DownlinkLine> {
  const found = new Map((await devices.find(imeis)).map((device) => [device.imei, device]));
  for (const imei of imeis) {
    const device = found.get(imei);
    yield device === undefined ? { type: 'device-removed', imei } : { type: 'device', device };
  }
  const missing = imeis.filter((imei) => !found.has(imei));
  if (missing.length > 0) yield* refusedOf(await devices.refused(missing));
}

function* refusedOf(imeis: readonly string[]): Generator<DownlinkLine> {
  for (let from = 0; from < imeis.length; from += PAGE) {
    yield { type: 'devices-refused', imeis: imeis.slice(from, from + PAGE) };
  }
}

/**
 * Reads the next line only when the previous ones are sent (back-pressure). An error ends the stream; the gateway
 * reconnects.
 */
function streamOf(lines: AsyncIterator<DownlinkLine>, closed: () => void): Readable {
  let pumping = false;
  const pump = async (stream: Readable): Promise<void> => {
    pumping = true;
    let wanted = true;
    while (wanted && !stream.destroyed) {
      const { value, done } = await lines.next();
      wanted = done ? stream.push(null) : stream.push(`${JSON.stringify(value)}\n`);
      if (done) wanted = false;
    }
    pumping = false;
  };
  const stream = new Readable({
    read() {
      if (!pumping) pump(this).catch((error: Error) => this.destroy(error));
    },
    destroy(error, done) {
      closed();
      done(error);
    },
  });
  stream.on('error', () => {});
  return stream;
}
