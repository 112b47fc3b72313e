import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiTarget, createPusher } from '../gateway/pusher/index.ts';
import { inspectSpool, openSpool } from '../gateway/spool/index.ts';
import { announceStop, Tokens } from '../gateway/uplink/index.ts';
import { apiConnector } from '../platform/api-connector.ts';
import { ApiEndpoints, parseApiUrls } from '../platform/api-endpoints.ts';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { type Config, ConfigError } from './config.ts';
import { gatewayIdOf } from './gateway-id.ts';

export interface Pushed {
  readonly gatewayId: string;
  readonly pushed: number;
  /** records that the API has rejected; they are kept */
  readonly setAside: number;
  /** records that are still in the spool */
  readonly waiting: number;
  /** why, if some are */
  readonly trouble: string | undefined;
}

const LOOK_MS = 200;
const ANNOUNCE_MS = 5_000;

/**
 * Delivers the spool of a gateway that does not run to the API, without a device port: for the volume of a gateway that
 * is not wanted any longer. Gives up after so many ms. Throws SpoolLocked if a process holds the spool.
 */
export async function pushSpool(config: Config, withinMs: number): Promise<Pushed> {
  const { API_URL: urls, INTERNAL_KEY: internalKey } = config;
  if (urls === undefined || internalKey === undefined) {
    throw new ConfigError([
      'API_URL, INTERNAL_KEY: needed to deliver the spool; set ROLE=gateway as the gateway had it',
    ]);
  }
  const log = createLog('spool', config.LOG_LEVEL);
  const clock = systemClock;
  const gatewayId = await gatewayIdOf(config);
  const connector = apiConnector({ caFile: config.API_CA, serverName: config.API_SERVER_NAME });
  const api = new ApiEndpoints({ urls: parseApiUrls(urls), connector, gatewayId, log });
  await api.start();
  const at = () => ({ apiUrl: api.url, dispatcher: api.dispatcher });
  const tokens = new Tokens({ at, internalKey, gatewayId }, clock);
  const folder = join(config.DATA_DIR, 'spool');
  // what another target has not got stays in the spool
  const others = Object.keys((await inspectSpool(folder)).cursors).filter((target) => target !== 'api');
  const spool = await openSpool({
    folder,
    targets: ['api', ...others],
    syncMs: config.SPOOL_SYNC_MS,
    maxBytes: config.SPOOL_MAX_BYTES,
    minFreeBytes: 0,
    setAsideMaxBytes: config.SET_ASIDE_MAX_BYTES,
    clock,
    log,
  });
  let isFirst = true;
  const authorise = (): Promise<string> => {
    if (!isFirst) tokens.forget();
    isFirst = false;
    return tokens.get();
  };
  const place = () => ({ apiUrl: api.url, connector: api.connector });
  const pusher = createPusher({ spool, clock, log, target: apiTarget({ at: place, spool, authorise, clock, log }) });
  try {
    const last = spool.lastSeq;
    const until = clock.monotonic() + withinMs;
    while (spool.cursor('api').seq < last && clock.monotonic() < until) {
      await Promise.race([pusher.delivered(last), sleep(LOOK_MS)]);
    }
    const { pushed, setAside, trouble } = pusher.status();
    const waiting = Math.max(0, last - spool.cursor('api').seq);
    // the alert about records that it has left ends, or says how many are left now
    await announceStop({ at, tokens }, clock.now(), waiting, AbortSignal.timeout(ANNOUNCE_MS)).catch(() => false);
    return { gatewayId, pushed, setAside, waiting, trouble: trouble && `${trouble.code}: ${trouble.detail}` };
  } finally {
    await pusher.drain(0);
    await spool.close();
    await api.stop();
  }
}
