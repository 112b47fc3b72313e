import type { Queryable } from '../platform/postgres/index.ts';
import { type Area, compile, type Evaluation, type Params, type RuleType } from '../rules/index.ts';
import * as store from './store.ts';

/** A rule compiled for evaluation, with what its notifications need. */
export interface CompiledRule {
  readonly id: string;
  readonly tenantId: number;
  readonly version: number;
  readonly type: RuleType;
  readonly priority: string;
  readonly timezone: string;
  readonly description: string;
  readonly channels: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly params: Params;
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
  /** epoch ms; `to` itself is outside */
  readonly from: number;
  readonly to: number;
}

/** All rules, indexed by the devices that they watch. */
export interface RuleIndex {
  readonly size: number;
  /** watches of rules that evaluate reports */
  ofReports(deviceId: number): readonly Watch[];
  ofType(type: RuleType): readonly Watch[];
  /** watches of this type on this device */
  of(type: RuleType, deviceId: number): readonly Watch[];
}

const NONE: readonly Watch[] = [];

/** Reads and compiles all rules of all tenants. */
export async function readRuleIndex(db: Queryable): Promise<RuleIndex> {
  const rules = new Map((await store.readRules(db)).map((row) => [row.id, toRule(row)]));
  const reports = new Map<number, Watch[]>();
  const types = new Map<RuleType, Watch[]>();
  for (const row of await store.readWatches(db)) {
    const rule = rules.get(row.ruleId);
    if (rule === undefined) continue;
    const { deviceId, imei, vehicleId, targa } = row;
    const from = row.from ?? Number.NEGATIVE_INFINITY;
    const watch = { rule, deviceId, imei, vehicleId, targa, from, to: row.to ?? Number.POSITIVE_INFINITY };
    if (rule.evaluation.readsReports) listIn(reports, deviceId).push(watch);
    listIn(types, rule.type).push(watch);
  }
  return {
    size: rules.size,
    ofReports: (deviceId) => reports.get(deviceId) ?? NONE,
    ofType: (type) => types.get(type) ?? NONE,
    of: (type, deviceId) => (types.get(type) ?? NONE).filter((watch) => watch.deviceId === deviceId),
  };
}

function listIn<K>(lists: Map<K, Watch[]>, key: K): Watch[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

export function toRule({ id, tenantId, version, type, priority, timezone, data, areas }: store.RuleRow): CompiledRule {
  const { params = {}, auth_hours: hours, channels = [], cooldownSeconds = 0, description = '' } = data;
  const all: Area[] = [...areas, ...(params.area === undefined ? [] : [params.area])];
  const hasHours = hours !== undefined && Object.keys(hours).length > 0;
  const evaluation = compile({
    type,
    zone: timezone,
    cooldownSeconds,
    params,
    areas: all,
    hours: type === 'unauthorized_use' || hasHours ? (hours ?? {}) : undefined,
  });
  const { webhookUrl } = params;
  return { id, tenantId, version, type, priority, timezone, description, channels, webhookUrl, params, evaluation };
}
