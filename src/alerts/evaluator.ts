import type pg from 'pg';
import type { CommandStep, Entry, Feed, FeedPosition, Place } from '../feed/index.ts';
import type { Clock } from '../platform/clock.ts';
import { commandEnded, type Fix, NOTHING_KNOWN, type RuleState, silentSince } from '../rules/index.ts';
import { type Detection, type Notifier, notify } from './notify.ts';
import { type RuleIndex, readRuleIndex, type Watch } from './rule-index.ts';
import * as store from './store.ts';

export interface EvaluatorDeps {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly notifier: Notifier;
  /** ms between two checks for silent devices */
  readonly silenceEveryMs?: number;
}

export interface Evaluator {
  /** Evaluates entries of the feed within the transaction that moves past them. */
  handle(tx: pg.PoolClient, entries: readonly Entry[], before: Place): Promise<void>;
  /** Is the check for silent devices due? */
  isDue(): boolean;
}

/** A report too far in the future is skipped: it would otherwise hide all later reports from the rules. */
const AHEAD_MS = 300_000;
const SILENCE_EVERY_MS = 30_000;
const MOST_STATES = 200_000;

const keyOf = ({ rule, deviceId }: Watch): string => `${rule.id} ${deviceId}`;

/** States of rules by device, and the rules themselves. */
interface Memory {
  readonly rules: RuleIndex;
  stateOf(key: string): RuleState;
  /** Reads the states that are not cached. */
  load(tx: pg.PoolClient, watches: Iterable<Watch>): Promise<void>;
  forget(watch: Watch): void;
}

/**
 * The cache is valid only while no other process moves the cursor: the cursor's position shows whether the last
 * round was committed.
 */
function createMemory() {
  let rules: RuleIndex | undefined;
  let states = new Map<string, RuleState>();
  let expected: { readonly place: Place; readonly changed: ReadonlyMap<string, RuleState> } | undefined;

  const settle = (before: Place): void => {
    const holds = expected !== undefined && expected.place.xid === before.xid && expected.place.seq === before.seq;
    if (!holds || states.size > MOST_STATES) {
      rules = undefined;
      states = new Map();
    } else {
      for (const [key, state] of expected!.changed) states.set(key, state);
    }
    expected = undefined;
  };
  const load = async (tx: pg.PoolClient, watches: Iterable<Watch>): Promise<void> => {
    const missing = new Map<string, store.StateKey>();
    for (const watch of watches) {
      const key = keyOf(watch);
      if (!states.has(key)) missing.set(key, { ruleId: watch.rule.id, deviceId: watch.deviceId });
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
      rules ??= await readRuleIndex(tx);
      return {
        rules,
        load,
        stateOf: (key) => states.get(key) ?? NOTHING_KNOWN,
        forget: (watch) => void states.delete(keyOf(watch)),
      };
    },
    /** Without entries the cursor does not show whether the round was committed: then nothing is cached. */
    close(last: Entry | undefined, changed: ReadonlyMap<string, RuleState>): void {
      if (last !== undefined) expected = { place: last, changed };
    },
  };
}

export function createEvaluator({
  feed,
  clock,
  notifier,
  silenceEveryMs = SILENCE_EVERY_MS,
}: EvaluatorDeps): Evaluator {
  const memories = createMemory();
  let nextSilenceCheckAt = clock.monotonic() + silenceEveryMs;
  return {
    isDue: () => clock.monotonic() >= nextSilenceCheckAt,
    async handle(tx, entries, before) {
      const memory = await memories.open(
        tx,
        before,
        entries.some(({ kind }) => kind === 'rules'),
      );
      const { rules } = memory;
      feed.expect('rules', rules.size > 0);
      const round: Round = { memory, changed: new Map(), watches: new Map(), detections: [] };
      const reports = await gatherReports(tx, feed, rules, entries, clock.now());
      await memory.load(tx, watchesOf(reports, rules));
      for (const [deviceId, list] of reports) evaluateReports(round, rules.ofReports(deviceId), list);
      await evaluateCommands(tx, entries, round);
      if (clock.monotonic() >= nextSilenceCheckAt) {
        nextSilenceCheckAt = clock.monotonic() + silenceEveryMs;
        await evaluateSilence(tx, round, clock.now());
      }
      await store.writeStates(
        tx,
        [...round.changed].map(([key, state]) => ({ ...idOf(round.watches.get(key)!), state })),
      );
      await notify(tx, notifier, round.detections);
      memories.close(entries.at(-1), round.changed);
    },
  };
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
      if (row.time > row.serverTime + AHEAD_MS && row.time > now + AHEAD_MS) continue;
      const list = reports.get(row.deviceId);
      if (list === undefined) reports.set(row.deviceId, [row]);
      else list.push(row);
    }
  }
  for (const list of reports.values()) if (!isInOrder(list)) list.sort((a, b) => a.time - b.time);
  return reports;
}

const isInOrder = (list: readonly FeedPosition[]): boolean =>
  list.every(({ time }, n) => n === 0 || time >= list[n - 1]!.time);

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
      const { text, answer } = rows.get(step.commandId)!;
      const detail = `${text.slice(0, 100)}: ${step.to}${answer === null ? '' : ` (${answer.slice(0, 200)})`}`;
      const command = { id: step.commandId, state: step.to ?? '', at: step.at, detail };
      applyStep(round, watch, (state) => commandEnded(state, watch.rule.params, command));
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
    // whether this round is committed is not known before the next one
    memory.forget(watch);
  }
}

interface Round {
  readonly memory: Memory;
  readonly changed: Map<string, RuleState>;
  readonly watches: Map<string, Watch>;
  readonly detections: Detection[];
}

const idOf = ({ rule, deviceId }: Watch) => ({ ruleId: rule.id, version: rule.version, deviceId });

function* watchesOf(reports: ReadonlyMap<number, unknown>, rules: RuleIndex): Generator<Watch> {
  for (const deviceId of reports.keys()) yield* rules.ofReports(deviceId);
}

function evaluateReports(round: Round, watches: readonly Watch[], reports: readonly FeedPosition[]): void {
  const fixes = reports.map((row) => new Report(row));
  for (const watch of watches) {
    const key = keyOf(watch);
    const before = round.changed.get(key) ?? round.memory.stateOf(key);
    const isAll = fixes[0]!.at >= watch.from && fixes.at(-1)!.at < watch.to;
    const mine = isAll ? fixes : fixes.filter(({ at }) => at >= watch.from && at < watch.to);
    const { state, events } = watch.rule.evaluation.stepAll(before, mine);
    for (const event of events) round.detections.push({ watch, event });
    if (state !== before) setState(round, key, watch, state);
  }
}

function applyStep(round: Round, watch: Watch, step: (state: RuleState) => ReturnType<typeof silentSince>): void {
  const key = keyOf(watch);
  const before = round.changed.get(key) ?? round.memory.stateOf(key);
  const { state, events } = step(before);
  for (const event of events) {
    if (watch.rule.evaluation.settings.notifiesAt(event.at)) round.detections.push({ watch, event });
  }
  if (state !== before) setState(round, key, watch, state);
}

function setState(round: Round, key: string, watch: Watch, state: RuleState): void {
  round.changed.set(key, state);
  round.watches.set(key, watch);
}

/** A row as rules read it. A class, since there are as many of them as positions. */
class Report implements Fix {
  readonly at: number;
  readonly valid: boolean;
  readonly outdated: boolean;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
  readonly speed: number | undefined;
  readonly course: number | undefined;
  readonly ignition: boolean | undefined;
  readonly #text: string;
  #attributes: Readonly<Record<string, unknown>> | undefined;

  constructor(row: FeedPosition) {
    this.at = row.time;
    this.valid = row.valid;
    this.outdated = row.outdated;
    this.latitude = row.latitude;
    this.longitude = row.longitude;
    this.speed = row.speed;
    this.course = row.course;
    this.ignition = row.ignition;
    this.#text = row.attributes;
  }

  /** In JSON text a quotation mark inside of a string is never bare: a bare name is a key, or a value. */
  mentions(name: string): boolean {
    return this.#text.includes(`"${name}"`);
  }

  attributes(): Readonly<Record<string, unknown>> {
    this.#attributes ??= JSON.parse(this.#text) as Readonly<Record<string, unknown>>;
    return this.#attributes;
  }
}
