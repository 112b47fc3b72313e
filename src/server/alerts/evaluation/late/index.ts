import type pg from 'pg';
import type { HistoryReader } from '../../../history/index.ts';
import { comparePlaces, difference, type Judgement, type Part, partsOf, type RuleState } from '../../rules/index.ts';
import { withFiled } from '../filed-reports.ts';
import { hourOf, Pass } from '../pass.ts';
import { isAhead, Report } from '../report.ts';
import { type Round, versionKeyOf } from '../round.ts';
import { covers, type Group, watchAt } from '../rule-index.ts';
import * as store from './store.ts';

export interface LateSettings {
  /** how long a device waits after its first late report, ms */
  readonly waitMs: number;
  /** reports that are read in a round */
  readonly mostRows: number;
  /** late reports that are older than the newest one by more days are ignored */
  readonly days: number;
  /** reads positions that are in files */
  readonly history?: HistoryReader | undefined;
}

/** Devices whose id divided by `of` leaves `number`. */
export interface Shard {
  readonly number: number;
  readonly of: number;
}

const MAX_DEVICES = 50;
const PAGE = 2_000;

/**
 * Evaluates devices with late reports again: from the last checkpoint before the oldest late report, over all stored
 * reports, until the state equals the known one. Notifies the differences. True: there are more devices.
 */
export async function judgeLate(
  tx: pg.PoolClient,
  round: Round,
  now: number,
  settings: LateSettings,
  shard: Shard,
): Promise<boolean> {
  const due = await store.readDue(tx, MAX_DEVICES, shard);
  let left = settings.mostRows;
  for (const late of due) {
    left -= await judgeDevice(tx, round, late, now, { ...settings, mostRows: left });
    if (left <= 0) return true;
  }
  return due.length === MAX_DEVICES;
}

/** A pass from a checkpoint to the newest evaluated report, or until its state equals the known one. */
interface Again {
  readonly pass: Pass;
  readonly start: Judgement | undefined;
  readonly head: Judgement;
  /** known checkpoints by time */
  readonly known: ReadonlyMap<number, string>;
  /** `met`: the checkpoint from which the state equals the known one */
  end?: { readonly met: Judgement } | 'head';
}

async function judgeDevice(
  tx: pg.PoolClient,
  round: Round,
  late: store.Late,
  now: number,
  settings: LateSettings,
): Promise<number> {
  const groups = round.memory.rules.ofReports(late.deviceId);
  await round.memory.load(tx, groups);
  const again = await startAgain(tx, round, groups, late);
  const { rows, lastAt } = await readAgain(tx, again, late, now, settings);
  for (const one of again) await settle(tx, round, one);
  const isOver = lastAt === undefined || again.every(({ end }) => end !== undefined);
  // rows before the oldest late report may be all that a round has read
  await store.settleLate(tx, late.deviceId, isOver ? undefined : Math.max(lastAt + 1, late.from));
  return rows;
}

async function startAgain(
  tx: pg.PoolClient,
  round: Round,
  groups: readonly Group[],
  late: store.Late,
): Promise<Again[]> {
  const judged = groups.flatMap((group) => {
    const head = round.stateOf(group.key).judgement;
    return head === undefined ? [] : [{ group, head }];
  });
  const lists = await store.readCheckpoints(
    tx,
    judged.map(({ group }) => versionKeyOf(group)),
    late.from,
  );
  return judged.map(({ group, head }, n): Again => {
    const list = lists[n]!;
    const start = list[0] !== undefined && list[0].at < late.from ? list[0] : undefined;
    const known = new Map(list.map((judgement) => [judgement.at, JSON.stringify(judgement)]));
    return { pass: new Pass(group, start), start, head, known };
  });
}

/**
 * Without a checkpoint no report was judged before the hour of the oldest late one. Reads more than `mostRows` where a
 * pass would otherwise end where it has begun: reports that its rule does not apply to leave no checkpoint.
 */
async function readAgain(
  tx: pg.PoolClient,
  again: readonly Again[],
  late: store.Late,
  now: number,
  { mostRows, history }: LateSettings,
): Promise<{ rows: number; lastAt: number | undefined }> {
  let after = again
    .map(({ start }) => start ?? { at: hourOf(late.from), id: '' })
    .reduce((a, b) => (comparePlaces(a, b) <= 0 ? a : b), { at: Number.POSITIVE_INFINITY, id: '' });
  let rows = 0;
  let lastAt: number | undefined;
  const isToRead = ({ end, pass }: Again): boolean => end === undefined && (rows < mostRows || !pass.isChanged);
  while (again.some(isToRead)) {
    const limit = rows < mostRows ? Math.min(PAGE, mostRows) : PAGE;
    const stored = await store.readReports(tx, late.deviceId, after, limit);
    const page = await withFiled(history, late, { after, limit }, stored);
    rows += page.length;
    for (const row of page) {
      if (isAhead(row, now)) continue;
      const report = new Report(row);
      for (const one of again) if (one.end === undefined) judgeReport(one, report, late);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) {
      for (const one of again) one.end ??= 'head';
      break;
    }
    after = { at: last.time, id: last.id };
    lastAt = last.time;
  }
  return { rows, lastAt };
}

function judgeReport(one: Again, report: Report, late: store.Late): void {
  const { pass, start, head, known } = one;
  if (comparePlaces(report, head) > 0) {
    one.end = 'head';
    return;
  }
  if (!covers(pass.group, report) || (start !== undefined && comparePlaces(report, start) <= 0)) return;
  const checkpoint = pass.checkpointBefore(report);
  if (checkpoint !== undefined) {
    if (checkpoint.at >= late.until && known.get(checkpoint.at) === JSON.stringify(checkpoint)) {
      one.end = { met: checkpoint };
      return;
    }
    pass.keep(checkpoint);
  }
  pass.next(report);
}

/**
 * Are episodes of this start among those that were found? From where a pass has met what was known, or has stopped,
 * what begins later is not; an episode that is not decided there belongs to what follows.
 */
function isJudgedAgain(met: PlacedPart | undefined, stopped: PlacedPart | undefined): (from: number) => boolean {
  const last = met ?? stopped;
  if (last === undefined) return () => true;
  const { episode } = last;
  if (episode !== undefined && episode.status !== 'notified') return (from) => from < episode.from;
  if (met === undefined) return (from) => from <= last.at;
  return (from) => episode !== undefined && from <= episode.from;
}

type PlacedPart = Part & Pick<Judgement, 'at'>;

const partOf = (judgement: Judgement | undefined, n: number): PlacedPart | undefined =>
  judgement === undefined ? undefined : { at: judgement.at, ...partsOf(judgement)[n] };

/** Replaces the checkpoints and episodes of the period by the new results. */
async function settle(tx: pg.PoolClient, round: Round, one: Again): Promise<void> {
  const { pass, start, end } = one;
  const { group } = pass;
  // up to where the clock had been asked
  if (end === 'head') pass.advance(one.head.at);
  const judgement = pass.judgement();
  if (judgement === undefined) return;
  const key = versionKeyOf(group);
  const met = end !== undefined && end !== 'head' ? end.met : undefined;
  await settleEpisodes(tx, round, one, judgement, met);
  round.amend(pass);
  const before = met?.at ?? (end === 'head' ? undefined : judgement.at);
  await store.deleteCheckpoints(tx, key, start?.at, before);
  const checkpoints = end === undefined ? [...pass.checkpoints, judgement] : pass.checkpoints;
  await store.writeCheckpoints(
    tx,
    checkpoints.map((state) => ({ ...key, state })),
  );
  if (end === 'head') {
    // the newest report may have been deleted meanwhile
    const { head } = one;
    const { seenAt = judgement.at } = judgement;
    const { at, id } = comparePlaces(judgement, head) < 0 ? head : judgement;
    const seen = seenAt === at ? {} : { seenAt };
    const state: RuleState = { ...round.stateOf(group.key), judgement: { ...judgement, ...seen, at, id } };
    round.setState(group.key, group, state, pass.dueAt);
  }
}

/** Notifies how the episodes of each part differ from those that are known. */
async function settleEpisodes(
  tx: pg.PoolClient,
  round: Round,
  { pass, start, head, end }: Again,
  judgement: Judgement,
  met: Judgement | undefined,
): Promise<void> {
  const { group } = pass;
  const key = versionKeyOf(group);
  const parts = partsOf(judgement).map((_, area) => ({ area, first: partOf(start, area)?.episode?.from }));
  const firsts = parts.flatMap(({ first }) => first ?? []);
  const oldest = firsts.length < parts.length ? undefined : Math.min(...firsts);
  const stored = await store.readEpisodes(tx, key, oldest);
  const all = [...pass.carried, ...pass.notified];
  for (const { area, first = Number.NEGATIVE_INFINITY } of parts) {
    const isUntil = isJudgedAgain(partOf(met, area), end === 'head' ? undefined : partOf(judgement, area));
    const last = partOf(head, area)?.episode;
    const known = stored
      .filter((one) => one.area === area)
      .map((one) => (one.from === last?.from ? { ...one, to: Math.max(one.to, last.to) } : one));
    const found = all.filter((episode) => (episode.area ?? 0) === area);
    const { events, episodes } = difference(found, known, (from) => from >= first && isUntil(from));
    for (const event of events) round.detections.push({ watch: watchAt(group, event.at), event });
    await store.writeEpisodes(
      tx,
      episodes.map((episode) => ({ ...key, episode })),
    );
  }
}
