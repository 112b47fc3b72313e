import { cyclesOf, type Rule } from './rules.ts';
import type { Source } from './sources.ts';

/** What every slice may import: who calls, and how requests are read and answered. */
const kit = ['access', 'http'];

/**
 * The slices of src/api, lowest first, and the slices that each may import, always through their index.ts. A slice that
 * is not listed may not exist; an entry that nothing uses is refused too.
 */
export const slices: Readonly<Record<string, readonly string[]>> = {
  access: [],
  http: ['access'],
  audit: kit,
  callbacks: kit,
  'device-directory': kit,
  diagnostics: kit,
  idempotency: kit,
  'local-days': kit,
  places: kit,
  'position-view': kit,
  protocols: kit,
  auth: [...kit, 'audit'],
  commands: [...kit, 'audit', 'device-directory'],
  'current-position': [...kit, 'position-view'],
  gateways: [...kit, 'audit', 'device-directory'],
  ingest: [...kit, 'device-directory', 'gateways'],
  'position-history': [...kit, 'position-view'],
  records: [...kit, 'audit'],
  app: [...kit, 'auth'],
  devices: [...kit, 'device-directory', 'records'],
  'fleet-records': [...kit, 'records'],
  subjects: [...kit, 'records'],
  timeline: [...kit, 'position-history'],
  notifications: [...kit, 'audit', 'fleet-records', 'places', 'records'],
  tachograph: [...kit, 'audit', 'fleet-records', 'records'],
  usage: kit,
  users: [...kit, 'audit', 'auth', 'fleet-records', 'records'],
  vehicles: [...kit, 'audit', 'fleet-records', 'position-view', 'records'],
  allowance: [...kit, 'records', 'tachograph'],
  'compat-traccar': [...kit, 'auth'],
  housekeeping: [...kit, 'callbacks', 'idempotency', 'tachograph', 'usage'],
  live: [...kit, 'fleet-records', 'notifications'],
  movement: [...kit, 'fleet-records', 'places', 'tachograph'],
  pairings: [...kit, 'audit', 'fleet-records', 'movement', 'records'],
  partners: [...kit, 'fleet-records', 'vehicles'],
  'report-schedules': [...kit, 'audit', 'fleet-records', 'records'],
  redecode: ['audit', 'ingest', 'position-history', 'position-view'],
  'share-links': [...kit, 'audit', 'fleet-records', 'movement', 'places', 'records'],
  streams: [...kit, 'audit', 'callbacks', 'fleet-records', 'live', 'position-history', 'position-view', 'records'],
  tenants: [...kit, 'audit', 'device-directory', 'users'],
  webhooks: [...kit, 'audit', 'live', 'records'],
};

/** Joins slices and is joined by src/api/index.ts alone: these two may import every slice. */
const WIRING = 'wiring';
const ROOT = '';

/** `auth` of src/api/auth/keys.ts, '' of src/api/index.ts; undefined outside src/api. */
function sliceOf(path: string): string | undefined {
  const [src, area, slice, ...rest] = path.split('/');
  if (src !== 'src' || area !== 'api') return undefined;
  return rest.length === 0 ? ROOT : slice;
}

function refusal(from: string | undefined, to: string, file: string): string | undefined {
  if (to === ROOT) return from === undefined ? undefined : 'imports what joins the slices';
  if (from === undefined) return 'imports a slice of the API; src/api/index.ts is its entry point';
  if (to === WIRING) return from === ROOT ? undefined : 'imports what joins the slices';
  if (file !== `src/api/${to}/index.ts`) return `imports ${file}; the slice is src/api/${to}/index.ts`;
  if (from === ROOT || from === WIRING) return undefined;
  return slices[from]?.includes(to) ? undefined : `imports the slice ${to}`;
}

/** Slices import each other through index.ts, by the list. */
export const sliceImports: Rule = (sources) =>
  sources.flatMap(({ path, links }) => {
    const from = sliceOf(path);
    const isKnown = from === undefined || from === ROOT || from === WIRING || Object.hasOwn(slices, from);
    if (!isKnown) return [`${path} is in the slice ${from}, which the list does not have`];
    return links.flatMap(({ file }) => {
      const to = file === undefined ? undefined : sliceOf(file);
      if (to === undefined || to === from) return [];
      const problem = refusal(from, to, file!);
      return problem === undefined ? [] : [`${path} ${problem}`];
    });
  });

/** Cycles of slices, whatever files they go through, each once. */
export const sliceCycles: Rule = (sources) => cyclesOf(importsBySlice(sources));

function importsBySlice(sources: readonly Source[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { path, links } of sources) {
    const from = sliceOf(path);
    if (from === undefined || from === ROOT) continue;
    const imported = found.get(from) ?? new Set();
    found.set(from, imported);
    for (const { file } of links) {
      const to = file === undefined ? undefined : sliceOf(file);
      if (to !== undefined && to !== from && to !== ROOT) imported.add(to);
    }
  }
  return found;
}

/** Entries of the list that no import needs. The kit is for everybody. */
export function unusedEntries(sources: readonly Source[]): string[] {
  const used = importsBySlice(sources);
  return Object.entries(slices).flatMap(([slice, allowed]) =>
    allowed
      .filter((other) => !kit.includes(other) && !used.get(slice)?.has(other))
      .map((other) => `${slice} does not import ${other}`),
  );
}
