import type { Queryable } from '../platform/postgres/index.ts';
import { type Area, compile, type Evaluation, type Params, type RuleType } from '../rules/index.ts';
import * as store from './store.ts';

/** A rule made ready, with what is told of it. */
export interface BookedRule {
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
  readonly rule: BookedRule;
  readonly deviceId: number;
  /** null: of a vehicle without a device */
  readonly imei: string | null;
  readonly vehicleId: string | null;
  readonly targa: string | null;
  /** epoch ms; `to` itself is outside */
  readonly from: number;
  readonly to: number;
}

/** Every rule by the devices that it is about. */
export interface Book {
  readonly size: number;
  /** of rules that read reports */
  ofReports(deviceId: number): readonly Watch[];
  ofType(type: RuleType): readonly Watch[];
  /** of a type, in a vehicle or a device */
  of(type: RuleType, deviceId: number): readonly Watch[];
}

const NONE: readonly Watch[] = [];

export async function readBook(db: Queryable): Promise<Book> {
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

export function toRule({ id, tenantId, version, type, priority, timezone, data, areas }: store.RuleRow): BookedRule {
  const { params = {}, auth_hours: hours, channels = [], cooldownSeconds = 0, description = '' } = data;
  const all: Area[] = [...areas, ...(params.area === undefined ? [] : [params.area])];
  const hasHours = hours !== undefined && Object.keys(hours).length > 0;
  const evaluation = compile({
    ...{ type, zone: timezone, cooldownSeconds, params, areas: all },
    hours: type === 'unauthorized_use' || hasHours ? (hours ?? {}) : undefined,
  });
  const { webhookUrl } = params;
  return { id, tenantId, version, type, priority, timezone, description, channels, webhookUrl, params, evaluation };
}
