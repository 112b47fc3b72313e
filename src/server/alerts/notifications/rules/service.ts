import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { AppError, type FieldProblem } from '../../../../platform/errors.ts';
import { normaliseTarga } from '../../../fleet/records/index.ts';
import type { Principal } from '../../../kernel/access/index.ts';
import { unlessTaken } from '../../../kernel/records/index.ts';
import type { ListedRule, RuleData, ShownRule } from '../schema.ts';
import * as store from './store.ts';

export interface SavedRule {
  readonly created: boolean;
  readonly version: number;
  readonly rule: ShownRule;
}

export interface RulePreview {
  readonly data: RuleData;
  readonly timezone: string;
  readonly vehicleIds: readonly string[];
  /** devices that the rule names itself */
  readonly deviceIds: readonly number[];
  /** ids */
  readonly geofences: readonly string[];
}

/** Rules of notifications. */
export interface Rules {
  /**
   * Makes a rule, or changes the one of its id; the same again changes nothing. Throws AppError `unknown-vehicle`,
   * `unknown-user`, `unknown-group`, `unknown-geofence` (all 422), `invalid`, `private-address`, `precondition-failed`,
   * `rule-owned-by-system`, `missing-scope`.
   */
  save(by: Principal, tenantId: number, data: RuleData, version: number | undefined): Promise<SavedRule>;
  /**
   * A rule as `save` would store it, without storing it. Throws as `save` does; `at` is where the rule is in the
   * body.
   */
  preview(by: Principal, tenantId: number, data: RuleData, at: string): Promise<RulePreview>;
  /** Rules that notify the user, with the vehicles that the caller may see. */
  ofUser(by: Principal, tenantId: number, userId: string): Promise<ListedRule[]>;
  /** Removes rules and returns the ids of existing ones. Throws AppError `rule-owned-by-system`. */
  remove(by: Principal, tenantId: number, ids: readonly string[]): Promise<string[]>;
}

const PREFIX = 'nrl_';
const OTHERS = 'users:read';
/** where a rule is in the body of a request */
const AT = '/notification_data';
const withPrefix = (id: string): string => (id.startsWith(PREFIX) ? id : PREFIX + id);
export const isRuleId = (id: string): boolean => id.startsWith(PREFIX);

export function createRules(app: pg.Pool, checkUrl: (url: string) => Promise<void>): Rules {
  return {
    async save(by, tenantId, given, expected) {
      demandParams(given);
      const id = withPrefix(given.id ?? randomBytes(9).toString('hex'));
      const known = await findOwn(by, tenantId, id);
      if (known?.isSystem === true) throw new AppError('rule-owned-by-system');
      if (expected !== undefined && known?.version !== expected) throw new AppError('precondition-failed');
      const named = await resolve(by, tenantId, given);
      if (given.params?.webhookUrl !== undefined) await checkUrl(given.params.webhookUrl);
      const data = dataOf({ ...given, users: named.recipients }, id, named);
      const timezone = given.timezone ?? named.timezone;
      const rule = show({ id, data, timezone });
      if (known !== undefined && isSame(known, data, timezone)) return { created: false, version: known.version, rule };
      const { type, priority } = data;
      const { users, vehicles, scope } = named;
      const write = {
        id,
        key: known?.key,
        data,
        timezone,
        type,
        priority,
        createdBy: by.id,
        users,
        vehicles,
        scope,
        version: known?.version,
      };
      const isWritten = await unlessTaken({ singular: 'rule' }, () => store.writeRule(app, tenantId, write));
      if (!isWritten) throw new AppError('precondition-failed');
      return { created: known === undefined, version: (known?.version ?? 0) + 1, rule };
    },
    async preview(by, tenantId, given, at) {
      demandParams(given, at);
      const named = await resolve(by, tenantId, given, at);
      const all = [...named.vehicles, ...(await store.readScope(app, tenantId, named.scope))];
      return {
        data: dataOf(given, '', named),
        timezone: given.timezone ?? named.timezone,
        vehicleIds: [...new Set(all.flatMap(({ vehicleId }) => vehicleId ?? []))],
        deviceIds: [...new Set(all.flatMap(({ deviceId }) => deviceId ?? []))],
        geofences: named.geofences,
      };
    },
    async ofUser(by, tenantId, userId) {
      const rows = await store.readRulesOf(app, tenantId, userId);
      const seen = by.isRestricted === true ? await seenOf(by, tenantId, rows) : undefined;
      return rows.map((row) => {
        const rule = show(row);
        const vehicles = seen === undefined ? rule.vehicles : rule.vehicles.filter((name) => seen.vehicles.has(name));
        const { groups } = rule;
        const shown = seen === undefined ? groups : groups?.filter((id) => seen.groups.has(id));
        // a change would remove the vehicles that the caller does not see
        const isWhole = vehicles.length === rule.vehicles.length && shown?.length === groups?.length;
        return {
          ...rule,
          vehicles,
          ...(shown === undefined ? {} : { groups: shown }),
          changeable: isWhole && !row.isSystem && mayChange(by, row) && mayWrite(by),
        };
      });
    },
    async remove(by, tenantId, ids) {
      const rows = await store.findRules(app, tenantId, ids);
      if (rows.some(({ isSystem }) => isSystem)) throw new AppError('rule-owned-by-system');
      const mine = rows.filter((row) => mayChange(by, row)).map(({ id }) => id);
      return mine.length === 0 ? [] : store.deleteRules(app, tenantId, mine);
    },
  };

  /** Names of vehicles, and ids of groups, in these rules that a user with some vehicles may see. */
  async function seenOf(by: Principal, tenantId: number, rows: readonly store.RuleRow[]) {
    const names = [...new Set(rows.flatMap(({ data }) => data.vehicles))];
    const groups = [...new Set(rows.flatMap(({ data }) => data.groups ?? []))];
    const vehicles = names.map((name) => ({ name, targa: normaliseTarga(name) }));
    const named = await store.resolveNames(app, tenantId, {
      users: [],
      vehicles,
      groups,
      geofences: [],
      seenBy: by.id,
    });
    return {
      vehicles: new Set(names.filter((_, n) => named.vehicles[n]!.vehicleId !== null)),
      groups: new Set(groups.filter((_, n) => named.groups[n] !== null)),
    };
  }

  async function findOwn(by: Principal, tenantId: number, id: string): Promise<store.RuleRow | undefined> {
    const [row] = await store.findRules(app, tenantId, [id]);
    if (row !== undefined && !mayChange(by, row)) throw new AppError('unknown-notification');
    return row;
  }

  async function resolve(by: Principal, tenantId: number, given: RuleData, at = AT) {
    const me = by.kind === 'user' ? by.id : null;
    const users = given.users.map((name) => (name === 'me' ? (me ?? name) : name));
    const named = await store.resolveNames(app, tenantId, {
      users,
      vehicles: given.vehicles.map((name) => ({ name, targa: normaliseTarga(name) })),
      groups: given.groups ?? [],
      geofences: given.params?.geofences ?? [],
      seenBy: me,
    });
    demandAll('unknown-user', `${at}/users`, given.users, (n) => named.users[n] !== null);
    const isKnown = (n: number): boolean =>
      named.vehicles[n]!.vehicleId !== null || named.vehicles[n]!.deviceId !== null;
    demandAll('unknown-vehicle', `${at}/vehicles`, given.vehicles, isKnown);
    demandAll('unknown-group', `${at}/groups`, given.groups ?? [], (n) => named.groups[n] !== null);
    demandAll(
      'unknown-geofence',
      `${at}/params/geofences`,
      given.params?.geofences ?? [],
      (n) => named.geofences[n] !== null,
    );
    const found = named.users as readonly string[];
    if (me !== null && !by.scopes.has(OTHERS) && found.some((id) => id !== me)) {
      throw new AppError('missing-scope', `The scope ${OTHERS} is needed to notify other users`);
    }
    // `me` is stored as a user id, otherwise it would change with the next user who saves the rule
    const groups = named.groups as readonly string[];
    const seenBy = by.isRestricted === true ? by.id : null;
    const scope: store.RuleScope = { groups, isAll: given.allVehicles === true, seenBy };
    const geofences = named.geofences as readonly string[];
    return { ...named, users: found, recipients: users, groups, geofences, scope };
  }
}

const mayWrite = ({ scopes }: Principal): boolean => scopes.has('notifications:write');

/** Users who may not see other users change only their own rules. */
const mayChange = (by: Principal, { createdBy }: store.RuleRow): boolean =>
  by.kind !== 'user' || by.scopes.has(OTHERS) || createdBy === by.id;

function demandAll(
  code: 'unknown-user' | 'unknown-vehicle' | 'unknown-group' | 'unknown-geofence',
  pointer: string,
  names: readonly string[],
  isKnown: (n: number) => boolean,
): void {
  const problems = names.flatMap((name, n): FieldProblem[] =>
    isKnown(n) ? [] : [{ pointer: `${pointer}/${n}`, detail: `${name} is not there` }],
  );
  if (problems.length > 0) throw new AppError(code, undefined, problems.slice(0, 20), undefined, 422);
}

/** Throws if a required parameter of the rule type is missing. */
function demandParams({ type, params = {}, vehicles, groups, allVehicles }: RuleData, at = AT): void {
  if (vehicles.length === 0 && groups === undefined && allVehicles !== true) {
    const problem = { pointer: `${at}/vehicles`, detail: 'vehicles, groups or allVehicles: true is needed' };
    throw new AppError('invalid', 'The body is not valid', [problem]);
  }
  const lacks = (members: string): never => {
    const problem = { pointer: `${at}/params`, detail: `${type} needs ${members}` };
    throw new AppError('invalid', 'The body is not valid', [problem]);
  };
  const { limitKmh, maxSpeed, useRoadLimit, geofences, area, polygon, odometerKm, engineHours, dueAt } = params;
  if (type === 'overspeed' && limitKmh === undefined && maxSpeed === undefined && useRoadLimit !== true) {
    lacks('limitKmh or useRoadLimit');
  }
  if (type === 'geofence_speed' && limitKmh === undefined && maxSpeed === undefined) lacks('limitKmh');
  const isFence = type.startsWith('geofence_');
  if (isFence && geofences === undefined && area === undefined && polygon === undefined) {
    lacks('geofences, area or polygon');
  }
  if (type === 'maintenance' && odometerKm === undefined && engineHours === undefined && dueAt === undefined) {
    lacks('odometerKm, engineHours or dueAt');
  }
  const { sensor, below, above } = params;
  if (type === 'sensor' && (sensor === undefined || (below === undefined && above === undefined))) {
    lacks('sensor, and below or above');
  }
}

/** As it is stored: one name for each parameter, geofences and groups by their ids. */
function dataOf(
  given: RuleData,
  id: string,
  named: { readonly geofences: readonly string[]; readonly groups: readonly string[] },
): RuleData {
  const { maxSpeed, polygon, geofences, ...params } = given.params ?? {};
  const own = { ...given, id, ...(given.groups === undefined ? {} : { groups: [...named.groups] }) };
  if (given.params === undefined) return own;
  return {
    ...own,
    params: {
      ...params,
      ...(maxSpeed === undefined ? {} : { limitKmh: params.limitKmh ?? maxSpeed }),
      ...(polygon === undefined ? {} : { area: { type: 'polygon' as const, coordinates: polygon } }),
      ...(geofences === undefined ? {} : { geofences: [...named.geofences] }),
    },
  };
}

const show = ({ id, data, timezone }: Pick<store.RuleRow, 'id' | 'data' | 'timezone'>): ShownRule => ({
  ...data,
  id,
  timezone,
});

/** The order of members does not make it another rule. */
const isSame = (known: store.RuleRow, data: RuleData, timezone: string): boolean =>
  known.timezone === timezone && sorted(known.data) === sorted(data);

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
