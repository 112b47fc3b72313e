import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { describePlace, type Language, nearestPlace, PLACES_ATTRIBUTION } from './places.ts';
import { createAddressSearch, type SearchAddress } from './search.ts';
import { type Answer, type Ask, askService } from './service.ts';
import type { GeocoderSettings } from './settings.ts';

export interface Address {
  /** null: no place is near */
  readonly address: string | null;
  /** `service`: of the configured geocoder; `offline`: the nearest place */
  readonly source: 'service' | 'offline';
  readonly attribution: string;
}

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Geocoder {
  /** Addresses of positions, in their order. Waits for the configured service no longer than its setting allows. */
  addressesOf(positions: readonly Position[], language: Language): Promise<Address[]>;
  /** Where an address is; undefined: nobody knows it. */
  readonly searchAddress: SearchAddress;
  close(): void;
}

export interface GeocoderDeps {
  readonly settings: GeocoderSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** of this product, for the operator of the geocoder */
  readonly agent: string;
}

/** after a failure the service is not asked for this long, ms */
const PAUSE_MS = 10_000;
/** decimals of coordinates that have an address of their own: 11 m */
const DECIMALS = 4;

/** Addresses of positions: of the configured service where it has answered, otherwise the nearest place. */
export function createGeocoder({ settings, clock, log, agent }: GeocoderDeps): Geocoder {
  const { GEOCODER_URL: url, GEOCODER_TYPE: type, GEOCODER_TIMEOUT_MS: timeoutMs } = settings;
  const service =
    url === undefined ? undefined : createQueue(askService(url, type, timeoutMs, agent), { settings, clock, log });
  return {
    searchAddress: createAddressSearch(settings, agent),
    async addressesOf(positions, language) {
      const answers = positions.map((one) => service?.lookUp(one, language));
      await waitForAll(answers, settings.GEOCODER_WAIT_MS);
      return Promise.all(
        positions.map(async (one, n) => {
          const found = answers[n]?.answer;
          return found == null ? offline(one, language) : { ...found, source: 'service' as const };
        }),
      );
    },
    close: () => service?.close(),
  };
}

async function offline({ latitude, longitude }: Position, language: Language): Promise<Address> {
  const place = await nearestPlace(latitude, longitude);
  const address = place === undefined ? null : describePlace(place, language);
  return { address, source: 'offline', attribution: PLACES_ATTRIBUTION };
}

interface LookUp {
  /** undefined: not answered yet; null: nothing is there, or it did not answer */
  answer: Answer | null | undefined;
  readonly done: Promise<void>;
}

async function waitForAll(list: readonly (LookUp | undefined)[], mostMs: number): Promise<void> {
  const open = list.flatMap((one) => (one === undefined || one.answer !== undefined ? [] : [one.done]));
  if (open.length === 0) return;
  const timer = new AbortController();
  const late = wait(mostMs, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([Promise.all(open), late]);
  timer.abort();
}

interface Queued extends Position {
  readonly key: string;
  readonly language: Language;
  readonly one: LookUp;
  readonly end: () => void;
}

/** Sends requests one after the other, with a maximum rate. Answers are cached. */
function createQueue(ask: Ask, { settings, clock, log }: Omit<GeocoderDeps, 'agent'>) {
  const everyMs = 1_000 / settings.GEOCODER_PER_SECOND;
  const known = new Map<string, LookUp>();
  const waiting: Queued[] = [];
  const closed = new AbortController();
  let isRunning = false;
  let nextAt = Number.NEGATIVE_INFINITY;

  const end = ({ one, key, end: notify }: Queued, answer: Answer | null, isKept: boolean): void => {
    one.answer = answer;
    if (!isKept) known.delete(key);
    notify();
  };
  const dropAll = (): void => {
    for (const queued of waiting.splice(0)) end(queued, null, false);
  };
  const run = async (): Promise<void> => {
    while (waiting.length > 0 && !closed.signal.aborted) {
      const pauseMs = nextAt - clock.monotonic();
      if (pauseMs > 0) await wait(pauseMs, undefined, { signal: closed.signal, ref: false }).catch(() => {});
      const next = waiting.shift();
      if (next === undefined || closed.signal.aborted) {
        if (next !== undefined) end(next, null, false);
        break;
      }
      nextAt = clock.monotonic() + everyMs;
      try {
        end(next, await ask(next.latitude, next.longitude, next.language), true);
      } catch (error) {
        log.warn(
          { reason: (error as Error).message },
          'the geocoder did not answer: nearest places stand for addresses',
        );
        end(next, null, false);
        nextAt = clock.monotonic() + PAUSE_MS;
        dropAll();
      }
    }
    isRunning = false;
  };
  return {
    /** undefined: the service is not asked now */
    lookUp({ latitude, longitude }: Position, language: Language): LookUp | undefined {
      const key = `${language} ${latitude.toFixed(DECIMALS)} ${longitude.toFixed(DECIMALS)}`;
      const before = known.get(key);
      if (before !== undefined) {
        // the least recently used one comes first
        known.delete(key);
        known.set(key, before);
        return before;
      }
      const isPaused = nextAt - clock.monotonic() > everyMs;
      if (isPaused || closed.signal.aborted || waiting.length >= settings.GEOCODER_QUEUE) return undefined;
      let notify = (): void => {};
      const done = new Promise<void>((resolve) => {
        notify = resolve;
      });
      const one: LookUp = { answer: undefined, done };
      known.set(key, one);
      if (known.size > settings.GEOCODER_CACHE) known.delete(known.keys().next().value!);
      waiting.push({ key, latitude, longitude, language, one, end: notify });
      if (!isRunning) {
        isRunning = true;
        void run();
      }
      return one;
    },
    close(): void {
      closed.abort();
      dropAll();
    },
  };
}
