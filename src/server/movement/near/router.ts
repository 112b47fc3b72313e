import { request } from 'undici';
import type { RouterSettings } from './settings.ts';

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** From one place to another by road: m and s; null where there is no way. */
export interface Leg {
  readonly distanceM: number | null;
  readonly seconds: number | null;
}

/** Legs from places to one, in their order. Rejects where the router does not answer. */
export type Router = (from: readonly Place[], to: Place) => Promise<readonly Leg[]>;

type Kind = 'osrm' | 'valhalla';

/** Undefined without `ROUTER_URL`. `auto` asks as OSRM first, and stays with what has answered. */
export function createRouter({ ROUTER_URL, ROUTER_TYPE, ROUTER_TIMEOUT_MS }: RouterSettings): Router | undefined {
  if (ROUTER_URL === undefined) return undefined;
  const base = ROUTER_URL.replace(/\/+$/, '');
  let known: Kind | undefined = ROUTER_TYPE === 'auto' ? undefined : ROUTER_TYPE;
  const ask = { osrm: askOsrm, valhalla: askValhalla };
  return async (from, to) => {
    if (from.length === 0) return [];
    let problem: unknown;
    for (const kind of known === undefined ? (['osrm', 'valhalla'] as const) : [known]) {
      try {
        const legs = await ask[kind](base, from, to, ROUTER_TIMEOUT_MS);
        known = kind;
        return legs;
      } catch (error) {
        problem ??= error;
      }
    }
    throw problem;
  };
}

/** Table service of OSRM 5: `/table/v1/driving/{longitude},{latitude};…` with one destination, seconds and meters. */
async function askOsrm(base: string, from: readonly Place[], to: Place, timeoutMs: number): Promise<Leg[]> {
  const places = [...from, to].map(({ latitude, longitude }) => `${longitude.toFixed(6)},${latitude.toFixed(6)}`);
  const sources = from.map((_, n) => n).join(';');
  const query = `sources=${sources}&destinations=${from.length}&annotations=duration,distance`;
  const body = (await readJson(`${base}/table/v1/driving/${places.join(';')}?${query}`, {}, timeoutMs)) as {
    readonly code?: string;
    readonly durations?: readonly (readonly (number | null)[])[];
    readonly distances?: readonly (readonly (number | null)[])[];
  };
  if (body.code !== 'Ok' || body.durations?.length !== from.length) throw new Error(`the router answered ${body.code}`);
  return from.map((_, n) => ({
    distanceM: body.distances?.[n]?.[0] ?? null,
    seconds: body.durations![n]![0] ?? null,
  }));
}

/** `/sources_to_targets` of Valhalla: seconds and kilometers. */
async function askValhalla(base: string, from: readonly Place[], to: Place, timeoutMs: number): Promise<Leg[]> {
  const placeOf = ({ latitude, longitude }: Place) => ({ lat: latitude, lon: longitude });
  const body = JSON.stringify({
    sources: from.map(placeOf),
    targets: [placeOf(to)],
    costing: 'auto',
    units: 'kilometers',
  });
  const answer = (await readJson(
    `${base}/sources_to_targets`,
    { method: 'POST', body, headers: { 'content-type': 'application/json' } },
    timeoutMs,
  )) as {
    readonly sources_to_targets?: readonly (readonly {
      readonly distance: number | null;
      readonly time: number | null;
    }[])[];
  };
  const rows = answer.sources_to_targets;
  if (rows?.length !== from.length) throw new Error('the router did not answer a matrix');
  return rows.map(([leg]) => ({
    distanceM: leg?.distance == null ? null : Math.round(1_000 * leg.distance),
    seconds: leg?.time ?? null,
  }));
}

async function readJson(url: string, options: Parameters<typeof request>[1], timeoutMs: number): Promise<object> {
  const { statusCode, body } = await request(url, { ...options, signal: AbortSignal.timeout(timeoutMs) });
  const json: unknown = await body.json();
  if (statusCode !== 200 || typeof json !== 'object' || json === null)
    throw new Error(`the router answered ${statusCode}`);
  return json;
}
