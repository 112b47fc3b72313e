import type pg from 'pg';
import type { Clock } from '../../../../platform/clock.ts';
import { DAY_MS } from '../../../../platform/durations.ts';
import { AppError } from '../../../../platform/errors.ts';
import {
  type AlarmEvent,
  alarmOf,
  amendmentOf,
  commandEnded,
  keyOf,
  type Limits,
  NOTHING_KNOWN,
  type RuleState,
  type RuleType,
  silentSince,
} from '../../rules/index.ts';
import { contentOf, type Detection, detailOfCommand, type MessageContext, nameOf, placesOf } from '../notify.ts';
import { isAhead, Report, type ReportRow } from '../report.ts';
import { type CompiledRule, covers, type Group, tankIn, toRule, type Watch, watchAt } from '../rule-index.ts';
import type { RuleRow } from '../store.ts';
import * as store from './store.ts';

export interface BacktestSettings {
  readonly limits: Limits;
  /** positions that are evaluated */
  readonly mostPositions: number;
  /** as for notifications */
  readonly mapLink?: string | undefined;
}

export interface BacktestRequest {
  readonly tenantId: number;
  /** in the language of this user; undefined: English */
  readonly userId?: string | undefined;
  readonly rule: Pick<RuleRow, 'type' | 'priority' | 'timezone' | 'data'>;
  readonly vehicleIds: readonly string[];
  /** devices that the rule names itself */
  readonly deviceIds: readonly number[];
  /** ids */
  readonly geofences: readonly string[];
  /** epoch ms, both ends included */
  readonly from: number;
  readonly to: number;
}

/** A message that the rule would have sent. */
export interface BacktestMessage {
  /** epoch ms */
  readonly at: number;
  /** plate, or the device's id */
  readonly vehicle: string;
  readonly title: string;
  readonly body: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface BacktestResult {
  readonly messages: readonly BacktestMessage[];
  readonly evaluatedPositions: number;
}

/**
 * Evaluates a rule over stored data, as if it had been enabled at the start of the interval and all had come in
 * order.
 */
export type Backtest = (request: BacktestRequest) => Promise<BacktestResult>;

/** Findings of other parts of the server cannot be evaluated again: their inputs are not stored. */
const NOT_BACKTESTABLE: ReadonlySet<RuleType> = new Set([
  'maintenance_due',
  'ddd_due',
  'infringement',
  'session_taken_over',
  'login_refused',
]);
const PAGE = 2_000;

/** `pool`: of the role whose rows policies limit to a tenant. */
export const createBacktest =
  (pool: pg.Pool, clock: Clock, settings: BacktestSettings): Backtest =>
  async ({ tenantId, userId, rule: given, vehicleIds, deviceIds, geofences, from, to }) => {
    if (NOT_BACKTESTABLE.has(given.type)) throw new AppError('not-backtestable', `Rules of type ${given.type} are not`);
    const now = clock.now();
    const scope: Run['scope'] = { pool, tenantId, from, to: Math.min(to, now) };
    const fences = await store.readGeofences(scope, geofences);
    const rule = toRule({ ...given, id: '', name: '', tenantId, version: 0, geofences: fences }, settings.limits);
    const run: Run = { scope, now, rule, mostPositions: settings.mostPositions, positions: 0 };
    const groups = groupsOf(rule, await store.readWatches(scope, vehicleIds, deviceIds));
    const detections: Detection[] = [];
    for (const group of groups) {
      for (const event of await eventsOf(run, group)) detections.push({ watch: watchAt(group, event.at), event });
    }
    const reader = await store.readReader(scope, userId);
    const places = await placesOf(detections);
    const drivers = await store.readDrivers(
      scope,
      detections.map(({ watch: { vehicleId }, event: { at } }) => ({ vehicleId, at })),
    );
    const { mapLink } = settings;
    const messages = detections.map((each, n) =>
      messageOf(each, { ...reader, driver: drivers[n] ?? null, place: places[n], mapLink }),
    );
    return { messages: messages.sort((a, b) => a.at - b.at), evaluatedPositions: run.positions };
  };

interface Run {
  readonly scope: store.Scope;
  readonly now: number;
  readonly rule: CompiledRule;
  readonly mostPositions: number;
  /** evaluated so far */
  positions: number;
}

function groupsOf(rule: CompiledRule, rows: Awaited<ReturnType<typeof store.readWatches>>): Group[] {
  const byDevice = new Map<number, Watch[]>();
  for (const { ruleId: _, from, to, options, litres, ...row } of rows) {
    const watch = {
      ...row,
      tank: tankIn(options, litres),
      rule,
      from: from ?? Number.NEGATIVE_INFINITY,
      to: to ?? Number.POSITIVE_INFINITY,
    };
    const list = byDevice.get(row.deviceId);
    if (list === undefined) byDevice.set(row.deviceId, [watch]);
    else list.push(watch);
  }
  return [...byDevice].map(([deviceId, watches]) => ({
    key: String(deviceId),
    rule,
    deviceId,
    watches,
    start: undefined,
  }));
}

function messageOf(detection: Detection, context: MessageContext): BacktestMessage {
  const { watch, event } = detection;
  const { latitude = null, longitude = null } = event.spot ?? {};
  const { title, body } = contentOf(detection, context);
  return { at: event.at, vehicle: nameOf(watch), title, body, latitude, longitude };
}

async function eventsOf(run: Run, group: Group): Promise<readonly AlarmEvent[]> {
  const { evaluation, type } = run.rule;
  if (type === 'device_offline') return silences(run, group);
  if (type === 'command_result') return commandResults(run, group);
  const known = await store.readReportBefore(run.scope, group.deviceId);
  const start = known === undefined ? undefined : { known: new Report(known), since: run.scope.from };
  const judge = evaluation.judge(undefined, group.watches.at(-1)?.tank, start);
  await readAll(run, group, (row) => {
    const report = new Report(row);
    if (covers(group, report)) judge.next(report);
  });
  judge.advance(run.scope.to);
  return [...judge.decided.map(alarmOf), ...judge.amended.map((episode) => amendmentOf(episode, keyOf(episode)))];
}

/** Throws AppError `too-many-positions`. */
async function readAll(run: Run, { deviceId }: Group, take: (row: ReportRow) => void): Promise<void> {
  let after = { at: run.scope.from, id: '' };
  for (;;) {
    const page = await store.readReports(run.scope, deviceId, after, PAGE);
    run.positions += page.length;
    if (run.positions > run.mostPositions) {
      throw new AppError(
        'too-many-positions',
        `More than ${run.mostPositions} positions: a shorter interval, or fewer vehicles`,
      );
    }
    for (const row of page) if (!isAhead(row, run.now)) take(row);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { at: last.time, id: last.id };
  }
}

/** Silences between the arrivals of reports. Times of logins and heartbeats are not stored. */
async function silences(run: Run, group: Group): Promise<AlarmEvent[]> {
  const { scope, rule } = run;
  const arrivals: number[] = [];
  const offlineMs = (rule.params.offlineSeconds ?? 3_600) * 1_000;
  const before = await store.readSeenBefore(scope, group.deviceId, Math.max(DAY_MS, offlineMs));
  if (before !== undefined) arrivals.push(before);
  await readAll(run, group, ({ serverTime }) => arrivals.push(serverTime));
  arrivals.sort((a, b) => a - b);
  let state: RuleState = NOTHING_KNOWN;
  return arrivals.flatMap((seenAt, n) => {
    const step = silentSince(state, rule.params, seenAt, arrivals[n + 1] ?? scope.to);
    state = step.state;
    return step.events.filter(({ at }) => at >= scope.from && isWatched(group, at));
  });
}

async function commandResults(run: Run, group: Group): Promise<AlarmEvent[]> {
  const { scope, rule, mostPositions } = run;
  let state: RuleState = NOTHING_KNOWN;
  const rows = await store.readSteps(scope, [group.deviceId], mostPositions);
  return rows.flatMap((row) => {
    const step = commandEnded(state, rule.params, { ...row, detail: detailOfCommand(row, row.state) });
    state = step.state;
    return step.events.filter(({ at }) => isWatched(group, at));
  });
}

const isWatched = ({ watches, rule }: Group, at: number): boolean =>
  watches.some(({ from, to }) => at >= from && at < to) && rule.evaluation.notifiesAt(at);
