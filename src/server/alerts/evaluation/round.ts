import type pg from 'pg';
import { alarmOf, amendmentOf, type Episode, type RuleState } from '../rules/index.ts';
import * as late from './late/store.ts';
import type { Detection } from './notify.ts';
import type { Pass } from './pass.ts';
import { type CompiledRule, type RuleIndex, watchAt } from './rule-index.ts';
import * as store from './store.ts';

/** States of rules by device, and the rules themselves. */
export interface Memory {
  readonly rules: RuleIndex;
  stateOf(key: string): RuleState;
  /** Reads the states that are not cached. */
  load(tx: pg.PoolClient, subjects: Iterable<Subject>): Promise<void>;
  forget(subject: Subject): void;
}

/** A rule and a device. */
export interface Subject {
  readonly rule: CompiledRule;
  readonly deviceId: number;
}

export const versionKeyOf = ({ rule, deviceId }: Subject): late.VersionKey => ({
  ruleId: rule.id,
  version: rule.version,
  deviceId,
  tenantId: rule.tenantId,
});

interface Changed {
  readonly subject: Subject;
  readonly state: RuleState;
  /** when the clock will change it, epoch ms */
  readonly dueAt: number | undefined;
}

/** What a round of the evaluation has found, written at its end. */
export class Round {
  readonly memory: Memory;
  readonly changed = new Map<string, Changed>();
  readonly detections: Detection[] = [];
  readonly lateReports = new Map<number, late.Late>();
  readonly #amended: (late.VersionKey & { readonly group: Pass['group']; readonly episode: Episode })[] = [];
  readonly #checkpoints: late.Checkpoint[] = [];
  readonly #episodes: Parameters<typeof late.writeEpisodes>[1][number][] = [];
  readonly #ended: Parameters<typeof late.endEpisodes>[1][number][] = [];

  constructor(memory: Memory) {
    this.memory = memory;
  }

  stateOf(key: string): RuleState {
    return this.changed.get(key)?.state ?? this.memory.stateOf(key);
  }

  setState(key: string, subject: Subject, state: RuleState, dueAt?: number): void {
    this.changed.set(key, { subject, state, dueAt });
  }

  /** Takes what reports that arrived in order have led to. */
  take(pass: Pass): void {
    const { group, checkpoints, notified, decided, carried } = pass;
    const judgement = pass.judgement();
    if (judgement === undefined) return;
    const key = versionKeyOf(group);
    this.setState(group.key, group, { ...this.stateOf(group.key), judgement }, pass.dueAt);
    for (const state of checkpoints) this.#checkpoints.push({ ...key, state });
    if (notified.length > 0) {
      for (const { from, to, area = 0 } of carried) this.#ended.push({ ...key, from, to, area });
    }
    for (const [n, episode] of notified.entries()) {
      const event = alarmOf(decided[n]!);
      const { from, to, area = 0 } = episode;
      this.#episodes.push({ ...key, episode: { key: event.key, area, from, to, corrections: 0, isWithdrawn: false } });
      this.detections.push({ watch: watchAt(group, from), event });
    }
    this.amend(pass);
  }

  amend({ group, amended }: Pass): void {
    for (const episode of amended) this.#amended.push({ ...versionKeyOf(group), group, episode });
  }

  /** Episodes whose value is another one, by the messages that they have; after episodes are written. */
  async takeAmended(tx: pg.PoolClient): Promise<void> {
    const keys = await late.readKeysOf(tx, this.#amended);
    for (const [n, { group, episode }] of this.#amended.entries()) {
      const key = keys[n];
      if (key === undefined) continue;
      this.detections.push({ watch: watchAt(group, episode.from), event: amendmentOf(episode, key) });
    }
  }

  /** Of each device the oldest and the newest report that arrived out of order. */
  noteLate(deviceId: number, tenantId: number, at: number): void {
    const known = this.lateReports.get(deviceId);
    const from = Math.min(known?.from ?? at, at);
    const until = Math.max(known?.until ?? at, at);
    this.lateReports.set(deviceId, { deviceId, tenantId, from, until });
  }

  /** Writes episodes, checkpoints and reports to be judged again: before these are. */
  async writeProgress(tx: pg.PoolClient, waitMs: number): Promise<void> {
    await late.endEpisodes(tx, this.#ended);
    await late.writeEpisodes(tx, this.#episodes);
    await late.writeCheckpoints(tx, this.#checkpoints);
    await late.markLate(tx, [...this.lateReports.values()], waitMs);
  }

  async writeStates(tx: pg.PoolClient): Promise<void> {
    await store.writeStates(
      tx,
      [...this.changed.values()].map(({ subject, state, dueAt }) => ({ ...versionKeyOf(subject), state, dueAt })),
    );
  }
}
