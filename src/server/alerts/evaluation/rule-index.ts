import type { Queryable } from '../../database/index.ts';
import {
  type Area,
  compile,
  type Evaluation,
  type Limits,
  type Params,
  type RuleType,
  type Start,
  type Tank,
  tankOf,
} from '../rules/index.ts';
import { type Report, reportOf } from './report.ts';
import * as store from './store.ts';

/** A rule compiled for evaluation, with what its notifications need. */
export interface CompiledRule {
  readonly id: string;
  /** id that the tenant gives */
  readonly name: string;
  readonly tenantId: number;
  readonly version: number;
  readonly type: RuleType;
  readonly priority: string;
  readonly timezone: string;
  readonly description: string;
  readonly channels: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly params: Params;
  /** in the order of the rule's areas; an area of its own has no name */
  readonly geofences: readonly { readonly id: string; readonly name: string }[];
  readonly evaluation: Evaluation;
}

/** A rule about a device, for as long as it is in the vehicle. */
export interface Watch {
  readonly rule: CompiledRule;
  readonly deviceId: number;
  /** null: of a vehicle without a device */
  readonly imei: string | null;
  readonly vehicleId: string | null;
  readonly targa: string | null;
  readonly tank: Tank | null;
  /** epoch ms; `to` itself is outside */
  readonly from: number;
  readonly to: number;
}

/** A rule and a device, with all times in which the rule watches the device. */
export interface Group {
  /** unique in the index */
  readonly key: string;
  readonly rule: CompiledRule;
  readonly deviceId: number;
  /** at least one */
  readonly watches: readonly Watch[];
  /** epoch ms; undefined: the rule applies to all reports */
  readonly start: GroupStart | undefined;
}

interface GroupStart {
  readonly validFrom: number;
  /** the newest report of the device then */
  readonly newest: number;
  readonly judged: Start | undefined;
}

export const keyOf = (rule: CompiledRule, deviceId: number): string => `${rule.id} ${deviceId}`;

/** Does the rule apply to a report: was the device in the vehicle, and the report received under the rule? */
export function covers({ watches, start }: Group, { at, serverTime }: Report): boolean {
  if (start !== undefined && at <= start.newest && serverTime < start.validFrom) return false;
  return watches.some(({ from, to }) => at >= from && at < to);
}

/** The watch that an event is about. */
export const watchAt = ({ watches }: Group, at: number): Watch =>
  watches.find(({ from, to }) => at >= from && at < to) ?? watches[0]!;

/** All rules, indexed by the devices that they watch. */
export interface RuleIndex {
  readonly size: number;
  /** rules that evaluate reports */
  ofReports(deviceId: number): readonly Group[];
  /** of which nothing was known when the index was read, although the clock alone may lead to something */
  readonly unstarted: readonly Group[];
  ofType(type: RuleType): readonly Watch[];
  /** watches of this type on this device */
  of(type: RuleType, deviceId: number): readonly Watch[];
}

const NONE: readonly Watch[] = [];
const NO_GROUPS: readonly Group[] = [];

/** Reads and compiles all rules of all tenants, for the devices that are evaluated here. */
export async function readRuleIndex(
  db: Queryable,
  limits: Limits,
  isMine: (deviceId: number) => boolean = () => true,
): Promise<RuleIndex> {
  const rules = new Map((await store.readRules(db)).map((row) => [row.id, toRule(row, limits)]));
  const starts = new Map<string, Group['start']>();
  for (const { ruleId, deviceId, known, ...start } of await store.readStarts(db)) {
    const judged = known === null ? undefined : { known: reportOf(known), since: start.validFrom };
    starts.set(`${ruleId} ${deviceId}`, { ...start, judged });
  }
  const types = new Map<RuleType, Watch[]>();
  const byKey = new Map<string, Watch[]>();
  for (const row of await store.readWatches(db)) {
    const rule = rules.get(row.ruleId);
    if (rule === undefined || !isMine(row.deviceId)) continue;
    const { deviceId, imei, vehicleId, targa, litres } = row;
    const tank = tankIn(row.options, litres);
    const from = row.from ?? Number.NEGATIVE_INFINITY;
    const watch = { rule, deviceId, imei, vehicleId, targa, tank, from, to: row.to ?? Number.POSITIVE_INFINITY };
    if (rule.evaluation.readsReports) listIn(byKey, keyOf(rule, deviceId)).push(watch);
    listIn(types, rule.type).push(watch);
  }
  const groups = new Map<number, Group[]>();
  const timed = [...rules.values()].filter(({ evaluation }) => evaluation.isTimed).map(({ id }) => id);
  const started = new Set(
    (await store.readStateKeys(db, timed)).map(({ ruleId, deviceId }) => `${ruleId} ${deviceId}`),
  );
  const unstarted: Group[] = [];
  for (const [key, watches] of byKey) {
    const { rule, deviceId } = watches[0]!;
    const group = { key, rule, deviceId, watches, start: starts.get(key) };
    listIn(groups, deviceId).push(group);
    if (rule.evaluation.isTimed && !started.has(key)) unstarted.push(group);
  }
  return {
    size: types.size,
    unstarted,
    ofReports: (deviceId) => groups.get(deviceId) ?? NO_GROUPS,
    ofType: (type) => types.get(type) ?? NONE,
    of: (type, deviceId) => (types.get(type) ?? NONE).filter((watch) => watch.deviceId === deviceId),
  };
}

/** The tank of a vehicle by the options of its device; `litres`: by the vehicle itself. */
export function tankIn(options: Readonly<Record<string, unknown>>, litres: number | null): Tank | null {
  const own = tankOf(options);
  return litres === null ? own : { source: null, calibration: [], ...own, litres };
}

function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

export function toRule(
  { id, name, tenantId, version, type, priority, timezone, data, geofences }: store.RuleRow,
  limits?: Limits,
): CompiledRule {
  const { params = {}, auth_hours: hours, channels = [], cooldownSeconds = 0, description = '' } = data;
  const all: Area[] = [...geofences.map(({ area }) => area), ...(params.area === undefined ? [] : [params.area])];
  const hasHours = hours !== undefined && Object.keys(hours).length > 0;
  const definition = {
    type,
    zone: timezone,
    cooldownSeconds,
    params,
    areas: all,
    hours: type === 'unauthorized_use' || hasHours ? (hours ?? {}) : undefined,
  };
  const evaluation = compile(definition, limits);
  const { webhookUrl } = params;
  return {
    id,
    name,
    tenantId,
    version,
    type,
    priority,
    timezone,
    description,
    channels,
    webhookUrl,
    params,
    geofences: geofences.map(({ id: fence, name }) => ({ id: fence, name })),
    evaluation,
  };
}
