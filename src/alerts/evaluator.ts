import type pg from 'pg';
import type { CommandStep, Entry, FedPosition, Feed, Place } from '../feed/index.ts';
import type { Clock } from '../platform/clock.ts';
import { commandEnded, type Fix, NOTHING_KNOWN, type RuleState, silentSince } from '../rules/index.ts';
import { type Book, readBook, type Watch } from './book.ts';
import * as store from './store.ts';
import { type Happening, type Teller, tell } from './tell.ts';

export interface EvaluatorDeps {
  readonly feed: Feed;
  readonly clock: Clock;
  readonly teller: Teller;
  /** ms between two looks for devices that are silent */
  readonly silenceEveryMs?: number;
}

export interface Evaluator {
  /** Evaluates entries of the feed within the transaction that moves past them. */
  handle(tx: pg.PoolClient, entries: readonly Entry[], before: Place): Promise<void>;
  /** Is it time to look for devices that are silent? */
  isDue(): boolean;
}

/** A clock that is wild must not keep the reports that follow from being judged. */
const AHEAD_MS = 300_000;
const SILENCE_EVERY_MS = 30_000;
const MOST_STATES = 200_000;

const keyOf = ({ rule, deviceId }: Watch): string => `${rule.id} ${deviceId}`;

/** What is remembered of rules and devices, and the rules themselves. */
interface Memory {
  readonly book: Book;
  stateOf(key: string): RuleState;
  /** Reads what is not at hand. */
  load(tx: pg.PoolClient, watches: Iterable<Watch>): Promise<void>;
  forget(watch: Watch): void;
}

/**
 * What is remembered in memory holds only while nobody else moves the cursor: its place says whether the last round was
 * committed.
 */
function createMemory() {
  let book: Book | undefined;
  let states = new Map<string, RuleState>();
  let expected: { readonly place: Place; readonly changed: ReadonlyMap<string, RuleState> } | undefined;

  const settle = (before: Place): void => {
    const holds = expected !== undefined && expected.place.xid === before.xid && expected.place.seq === before.seq;
    if (!holds || states.size > MOST_STATES) {
      book = undefined;
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
        book = undefined;
        // a rule that was changed begins anew
        states = new Map();
      }
      book ??= await readBook(tx);
      return {
        ...{ book, load },
        stateOf: (key) => states.get(key) ?? NOTHING_KNOWN,
        forget: (watch) => void states.delete(keyOf(watch)),
      };
    },
    /** Without entries the cursor does not tell whether it was committed: then nothing is remembered. */
    close(last: Entry | undefined, changed: ReadonlyMap<string, RuleState>): void {
      if (last !== undefined) expected = { place: last, changed };
    },
  };
}

export function createEvaluator({ feed, clock, teller, silenceEveryMs = SILENCE_EVERY_MS }: EvaluatorDeps): Evaluator {
  const memories = createMemory();
  let lookAt = clock.monotonic() + silenceEveryMs;
  return {
    isDue: () => clock.monotonic() >= lookAt,
    async handle(tx, entries, before) {
      const memory = await memories.open(
        tx,
        before,
        entries.some(({ kind }) => kind === 'rules'),
      );
      const { book } = memory;
      feed.expect('rules', book.size > 0);
      const round: Round = { memory, changed: new Map(), watches: new Map(), happenings: [] };
      const reports = await gatherReports(tx, feed, book, entries, clock.now());
      await memory.load(tx, watchesOf(reports, book));
      for (const [deviceId, list] of reports) judge(round, book.ofReports(deviceId), list);
      await judgeCommands(tx, entries, round);
      if (clock.monotonic() >= lookAt) {
        lookAt = clock.monotonic() + silenceEveryMs;
        await judgeSilence(tx, round, clock.now());
      }
      await store.writeStates(
        tx,
        [...round.changed].map(([key, state]) => ({ ...idOf(round.watches.get(key)!), state })),
      );
      await tell(tx, teller, round.happenings);
      memories.close(entries.at(-1), round.changed);
    },
  };
}

/** By device, in the order of their times. */
async function gatherReports(
  tx: pg.PoolClient,
  feed: Feed,
  book: Book,
  entries: readonly Entry[],
  now: number,
): Promise<Map<number, FedPosition[]>> {
  const reports = new Map<number, FedPosition[]>();
  if (book.size === 0) return reports;
  const isWanted = (deviceId: number): boolean => book.ofReports(deviceId).length > 0;
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

const isInOrder = (list: readonly FedPosition[]): boolean =>
  list.every(({ time }, n) => n === 0 || time >= list[n - 1]!.time);

async function judgeCommands(tx: pg.PoolClient, entries: readonly Entry[], round: Round): Promise<void> {
  const { memory } = round;
  if (memory.book.ofType('command_result').length === 0) return;
  const steps = entries.flatMap((entry) => (entry.kind === 'commands' ? entry.steps : []));
  const ids = [...new Set(steps.map(({ commandId }) => commandId))];
  const rows = new Map((await store.readCommands(tx, ids)).map((row) => [row.id, row]));
  const watches = (step: CommandStep): readonly Watch[] => {
    const row = rows.get(step.commandId);
    return row === undefined ? [] : memory.book.of('command_result', row.deviceId);
  };
  await memory.load(tx, steps.flatMap(watches));
  for (const step of steps) {
    for (const watch of watches(step)) {
      const { text, answer } = rows.get(step.commandId)!;
      const detail = `${text.slice(0, 100)}: ${step.to}${answer === null ? '' : ` (${answer.slice(0, 200)})`}`;
      const command = { id: step.commandId, state: step.to ?? '', at: step.at, detail };
      take(round, watch, (state) => commandEnded(state, watch.rule.params, command));
    }
  }
}

async function judgeSilence(tx: pg.PoolClient, round: Round, now: number): Promise<void> {
  const { memory } = round;
  const watches = memory.book.ofType('device_offline').filter(({ from, to }) => from <= now && now < to);
  if (watches.length === 0) return;
  const seen = await store.readSeen(tx, [...new Set(watches.map(({ deviceId }) => deviceId))]);
  await memory.load(tx, watches);
  for (const watch of watches) {
    const at = seen.get(watch.deviceId);
    if (at !== undefined) take(round, watch, (state) => silentSince(state, watch.rule.params, at, now));
    // it is not known before the next round whether this one was committed
    memory.forget(watch);
  }
}

interface Round {
  readonly memory: Memory;
  readonly changed: Map<string, RuleState>;
  readonly watches: Map<string, Watch>;
  readonly happenings: Happening[];
}

const idOf = ({ rule, deviceId }: Watch) => ({ ruleId: rule.id, version: rule.version, deviceId });

function* watchesOf(reports: ReadonlyMap<number, unknown>, book: Book): Generator<Watch> {
  for (const deviceId of reports.keys()) yield* book.ofReports(deviceId);
}

function judge(round: Round, watches: readonly Watch[], reports: readonly FedPosition[]): void {
  const fixes = reports.map((row) => new Report(row));
  for (const watch of watches) {
    const key = keyOf(watch);
    const before = round.changed.get(key) ?? round.memory.stateOf(key);
    const isAll = fixes[0]!.at >= watch.from && fixes.at(-1)!.at < watch.to;
    const mine = isAll ? fixes : fixes.filter(({ at }) => at >= watch.from && at < watch.to);
    const { state, occurrences } = watch.rule.evaluation.stepAll(before, mine);
    for (const occurrence of occurrences) round.happenings.push({ watch, occurrence });
    if (state !== before) keep(round, key, watch, state);
  }
}

function take(round: Round, watch: Watch, step: (state: RuleState) => ReturnType<typeof silentSince>): void {
  const key = keyOf(watch);
  const before = round.changed.get(key) ?? round.memory.stateOf(key);
  const { state, occurrences } = step(before);
  for (const occurrence of occurrences) {
    if (watch.rule.evaluation.manner.isTold(occurrence.at)) round.happenings.push({ watch, occurrence });
  }
  if (state !== before) keep(round, key, watch, state);
}

function keep(round: Round, key: string, watch: Watch, state: RuleState): void {
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

  constructor(row: FedPosition) {
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
