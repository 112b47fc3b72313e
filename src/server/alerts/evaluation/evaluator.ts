import type pg from 'pg';
import type { Clock } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import type { CommandStep, Entry, Feed, FeedPosition, Place } from '../../ingest/feed/index.ts';
import {
  commandEnded,
  comparePlaces,
  type Limits,
  NOTHING_KNOWN,
  type ReportPlace,
  type RuleState,
  silentSince,
} from '../rules/index.ts';
import { judgeLate, type LateSettings, type Shard } from './late/index.ts';
import { noteStates, trim } from './late/store.ts';
import { detailOfCommand, type Notifier, notify } from './notify.ts';
import { Pass } from './pass.ts';
import { isAhead, Report } from './report.ts';
import { type Memory, Round, type Subject } from './round.ts';
import { covers, type Group, keyOf, type RuleIndex, readRuleIndex, type Watch } from './rule-index.ts';
import * as store from './store.ts';

export interface EvaluatorSettings {
  readonly limits: Limits;
  readonly late: LateSettings;
}

export interface EvaluatorDeps {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly notifier: Notifier;
  readonly settings: EvaluatorSettings;
  /** the devices that are evaluated: those whose id leaves this remainder; all unless given */
  readonly shard?: Shard;
  /** ms between two checks for silent devices */
  readonly silenceEveryMs?: number;
  /** ms between two looks at the clock */
  readonly clockEveryMs?: number;
  /** ms without a report after which the clock decides, not the next report */
  readonly quietMs?: number;
}

export interface Evaluator {
  /**
   * Evaluates entries of the feed within the transaction that moves from `before` to `to`. True: there is more to do.
   */
  handle(tx: pg.PoolClient, entries: readonly Entry[], before: Place, to: Place): Promise<boolean>;
  /** Kinds of entries that rules evaluate; undefined: the rules are not known. */
  kinds(before: Place): readonly Entry['kind'][] | undefined;
  /** Whether a check for silent devices, or for late reports, is due. */
  isDue(): boolean;
}

const SILENCE_EVERY_MS = 30_000;
/** interval at which devices that other processes have marked as late are read */
const LATE_EVERY_MS = 2_000;
const CLOCK_EVERY_MS = 5_000;
const QUIET_MS = 15_000;
const MAX_DUE = 1_000;
const TRIM_EVERY_MS = HOUR_MS;
const MAX_STATES = 200_000;

/**
 * The cache is valid only while no other process moves the cursor: the cursor's position shows whether the last
 * round was committed.
 */
function createMemory(limits: Limits, isMine: (deviceId: number) => boolean) {
  let rules: RuleIndex | undefined;
  let states = new Map<string, RuleState>();
  let expected: { readonly place: Place; readonly changed: Round['changed'] } | undefined;

  const isExpected = ({ xid, seq }: Place): boolean => expected?.place.xid === xid && expected.place.seq === seq;
  const settle = (before: Place): void => {
    if (!isExpected(before) || states.size > MAX_STATES) {
      rules = undefined;
      states = new Map();
    } else {
      for (const [key, { state }] of expected!.changed) states.set(key, state);
    }
    expected = undefined;
  };
  const load = async (tx: pg.PoolClient, subjects: Iterable<Subject>): Promise<void> => {
    const missing = new Map<string, store.StateKey>();
    for (const { rule, deviceId } of subjects) {
      const key = keyOf(rule, deviceId);
      if (!states.has(key)) missing.set(key, { ruleId: rule.id, deviceId });
    }
    for (const key of missing.keys()) states.set(key, NOTHING_KNOWN);
    for (const { ruleId, deviceId, state } of await store.readStates(tx, [...missing.values()])) {
      states.set(`${ruleId} ${deviceId}`, state);
    }
  };
  return {
    async open(tx: pg.PoolClient, before: Place, isChanged: boolean): Promise<Memory> {
      settle(before);
      if (isChanged) {
        rules = undefined;
        // a changed rule starts with an empty state
        states = new Map();
      }
      rules ??= await readRuleIndex(tx, limits, isMine);
      return {
        rules,
        load,
        stateOf: (key) => states.get(key) ?? NOTHING_KNOWN,
        forget: ({ rule, deviceId }) => void states.delete(keyOf(rule, deviceId)),
      };
    },
    /** A cursor that was not moved does not show whether the round was committed: then its changes are not cached. */
    close(before: Place, to: Place, changed: Round['changed']): void {
      if (to === before) for (const key of changed.keys()) states.delete(key);
      expected = to === before ? { place: before, changed: new Map() } : { place: to, changed };
    },
    kinds: (before: Place): readonly Entry['kind'][] | undefined =>
      rules === undefined || !isExpected(before) ? undefined : kindsOf(rules),
  };
}

export function createEvaluator({
  feed,
  clock,
  notifier,
  settings,
  silenceEveryMs = SILENCE_EVERY_MS,
  clockEveryMs = CLOCK_EVERY_MS,
  quietMs = QUIET_MS,
  shard = { number: 0, of: 1 },
}: EvaluatorDeps): Evaluator {
  const { late } = settings;
  const memories = createMemory(settings.limits, (deviceId) => deviceId % shard.of === shard.number);
  const lateEveryMs = Math.max(1, Math.min(late.waitMs, LATE_EVERY_MS));
  let nextSilenceCheckAt = clock.monotonic() + silenceEveryMs;
  let nextClockAt = clock.monotonic() + clockEveryMs;
  let nextLateAt = clock.monotonic();
  let nextTrimAt = clock.monotonic() + TRIM_EVERY_MS;
  return {
    isDue: () => clock.monotonic() >= Math.min(nextSilenceCheckAt, nextClockAt, nextLateAt),
    kinds: (before) => memories.kinds(before),
    async handle(tx, entries, before, to) {
      const memory = await memories.open(
        tx,
        before,
        entries.some(({ kind }) => kind === 'rules'),
      );
      const { rules } = memory;
      feed.expect(`rules/${shard.number}`, rules.size > 0);
      const round = new Round(memory);
      const reports = await gatherReports(tx, feed, rules, entries, clock.now());
      await memory.load(tx, groupsOf(reports, rules));
      for (const [deviceId, list] of reports) evaluateReports(round, rules.ofReports(deviceId), list, late.days);
      await evaluateCommands(tx, entries, round);
      evaluateSessions(entries, round);
      if (clock.monotonic() >= nextSilenceCheckAt) {
        nextSilenceCheckAt = clock.monotonic() + silenceEveryMs;
        await evaluateSilence(tx, round, clock.now());
      }
      let isMore = false;
      if (clock.monotonic() >= nextClockAt) {
        const changes = round.changed.size;
        isMore = await evaluateClock(tx, round, { now: clock.now(), quietMs, limit: MAX_DUE, shard });
        nextClockAt = clock.monotonic() + (isMore ? 0 : clockEveryMs);
        // other processes notice by the cursor alone that states were changed
        if (to === before && round.changed.size > changes) await noteStates(tx);
      }
      await round.writeProgress(tx, late.waitMs);
      if (clock.monotonic() >= nextLateAt || (round.lateReports.size > 0 && late.waitMs === 0)) {
        const changes = round.changed.size;
        const isMoreLate = await judgeLate(tx, round, clock.now(), late, shard);
        // other processes notice by the cursor alone that states were changed
        if (to === before && round.changed.size > changes) await noteStates(tx);
        // remaining late reports are evaluated in the next round
        nextLateAt = clock.monotonic() + (isMoreLate ? 0 : lateEveryMs);
        isMore ||= isMoreLate;
      }
      if (clock.monotonic() >= nextTrimAt) {
        nextTrimAt = clock.monotonic() + TRIM_EVERY_MS;
        await trim(tx, late.days);
      }
      await round.writeStates(tx);
      await round.takeAmended(tx);
      await notify(tx, notifier, round.detections);
      memories.close(before, to, round.changed);
      return isMore;
    },
  };
}

function kindsOf(rules: RuleIndex): Entry['kind'][] {
  if (rules.size === 0) return [];
  return rules.ofType('command_result').length > 0 ? ['positions', 'sessions', 'commands'] : ['positions', 'sessions'];
}

/** By device, in the order of their times. */
async function gatherReports(
  tx: pg.PoolClient,
  feed: Feed,
  rules: RuleIndex,
  entries: readonly Entry[],
  now: number,
): Promise<Map<number, FeedPosition[]>> {
  const reports = new Map<number, FeedPosition[]>();
  if (rules.size === 0) return reports;
  const isWanted = (deviceId: number): boolean => rules.ofReports(deviceId).length > 0;
  for (const entry of entries) {
    if (entry.kind !== 'positions') continue;
    for (const row of await feed.positions(tx, entry, isWanted)) {
      if (row.clockSuspect === true || isAhead(row, now)) continue;
      const list = reports.get(row.deviceId);
      if (list === undefined) reports.set(row.deviceId, [row]);
      else list.push(row);
    }
  }
  for (const list of reports.values()) if (!isInOrder(list)) list.sort((a, b) => comparePlaces(placeOf(a), placeOf(b)));
  return reports;
}

const isInOrder = (list: readonly FeedPosition[]): boolean =>
  list.every(({ time }, n) => n === 0 || time > list[n - 1]!.time);

const placeOf = ({ time, id }: FeedPosition): ReportPlace => ({ at: time, id });

async function evaluateCommands(tx: pg.PoolClient, entries: readonly Entry[], round: Round): Promise<void> {
  const { memory } = round;
  if (memory.rules.ofType('command_result').length === 0) return;
  const steps = entries.flatMap((entry) => (entry.kind === 'commands' ? entry.steps : []));
  const ids = [...new Set(steps.map(({ commandId }) => commandId))];
  const rows = new Map((await store.readCommands(tx, ids)).map((row) => [row.id, row]));
  const watches = (step: CommandStep): readonly Watch[] => {
    const row = rows.get(step.commandId);
    return row === undefined ? [] : memory.rules.of('command_result', row.deviceId);
  };
  await memory.load(tx, steps.flatMap(watches));
  for (const step of steps) {
    for (const watch of watches(step)) {
      const detail = detailOfCommand(rows.get(step.commandId)!, step.to ?? '');
      const command = { id: step.commandId, state: step.to ?? '', at: step.at, detail };
      applyStep(round, watch, (state) => commandEnded(state, watch.rule.params, command));
    }
  }
}

const OF_SESSIONS = { 'session-taken-over': 'session_taken_over', 'login-refused': 'login_refused' } as const;

/** Another connection has used the id of a device. */
function evaluateSessions(entries: readonly Entry[], { memory, detections }: Round): void {
  for (const entry of entries) {
    if (entry.kind !== 'sessions') continue;
    for (const { deviceId, state, at, remote, reason } of entry.sessions) {
      if (state !== 'session-taken-over' && state !== 'login-refused') continue;
      for (const watch of memory.rules.of(OF_SESSIONS[state], deviceId)) {
        const isCovered = at >= watch.from && at < watch.to && watch.rule.evaluation.notifiesAt(at);
        const detail = [remote, reason].filter((part) => part !== undefined).join(', ');
        if (isCovered) detections.push({ watch, event: { kind: 'alarm', key: `${at} ${remote ?? ''}`, at, detail } });
      }
    }
  }
}

async function evaluateSilence(tx: pg.PoolClient, round: Round, now: number): Promise<void> {
  const { memory } = round;
  const watches = memory.rules.ofType('device_offline').filter(({ from, to }) => from <= now && now < to);
  if (watches.length === 0) return;
  const seen = await store.readSeen(tx, [...new Set(watches.map(({ deviceId }) => deviceId))]);
  await memory.load(tx, watches);
  for (const watch of watches) {
    const at = seen.get(watch.deviceId);
    if (at !== undefined) applyStep(round, watch, (state) => silentSince(state, watch.rule.params, at, now));
    // dropped from the cache, since the commit of this round is only known in the next one
    memory.forget(watch);
  }
}

/** What the clock has changed of devices that are quiet. True: there is more to do. */
async function evaluateClock(tx: pg.PoolClient, round: Round, query: store.DueQuery): Promise<boolean> {
  const { memory } = round;
  const due = await store.readDueStates(tx, query);
  const stored = due.flatMap(({ ruleId, deviceId }) =>
    memory.rules.ofReports(deviceId).filter(({ rule }) => rule.id === ruleId),
  );
  await memory.load(tx, [...stored, ...memory.rules.unstarted]);
  const unstarted = memory.rules.unstarted.filter(({ key }) => round.stateOf(key).judgement === undefined);
  const groups = [...stored, ...unstarted];
  for (const group of groups) {
    const { judgement } = round.stateOf(group.key);
    const pass = new Pass(group, judgement);
    const at = pass.dueAt;
    if (at === undefined || at > query.now) continue;
    // not of a vehicle that the device has left
    if (group.watches.some(({ from, to }) => at >= from && at < to)) pass.advance(query.now);
    if (pass.isChanged) round.take(pass);
    else if (judgement !== undefined) round.setState(group.key, group, round.stateOf(group.key));
  }
  return due.length === query.limit;
}

function* groupsOf(reports: ReadonlyMap<number, unknown>, rules: RuleIndex): Generator<Group> {
  for (const deviceId of reports.keys()) yield* rules.ofReports(deviceId);
}

/** Evaluates reports in order of time; late reports are evaluated in the background together with the stored ones. */
function evaluateReports(
  round: Round,
  groups: readonly Group[],
  rows: readonly FeedPosition[],
  lateDays: number,
): void {
  const reports = rows.map((row) => new Report(row));
  const { deviceId, tenantId } = rows[0]!;
  for (const group of groups) {
    const { judgement } = round.stateOf(group.key);
    const pass = new Pass(group, judgement);
    for (const report of reports) {
      if (!covers(group, report)) continue;
      if (judgement !== undefined && comparePlaces(report, judgement) <= 0) {
        if (report.at >= judgement.at - lateDays * DAY_MS) round.noteLate(deviceId, tenantId, report.at);
        continue;
      }
      const checkpoint = pass.checkpointBefore(report);
      if (checkpoint !== undefined) pass.keep(checkpoint);
      pass.next(report);
    }
    if (pass.isChanged) round.take(pass);
  }
}

function applyStep(round: Round, watch: Watch, step: (state: RuleState) => ReturnType<typeof silentSince>): void {
  const key = keyOf(watch.rule, watch.deviceId);
  const before = round.stateOf(key);
  const { state, events } = step(before);
  for (const event of events) {
    if (watch.rule.evaluation.notifiesAt(event.at)) round.detections.push({ watch, event });
  }
  if (state !== before) round.setState(key, watch, state);
}
