import { HOUR_MS } from '../../../platform/durations.ts';
import type { Episode, Judge, Judgement } from '../rules/index.ts';
import type { Report } from './report.ts';
import type { Group } from './rule-index.ts';

export const hourOf = (epochMs: number): number => Math.floor(epochMs / HOUR_MS) * HOUR_MS;

/** Judges reports of a device by a rule, in their order. Keeps what they led to before each hour in which there are some. */
export class Pass {
  readonly group: Group;
  readonly checkpoints: Judgement[] = [];
  /** has judged a report, or what the clock has changed */
  isChanged = false;
  readonly #judge: Judge;
  #at: number;
  #nextHour: number;

  constructor(group: Group, before: Judgement | undefined) {
    this.group = group;
    this.#judge = group.rule.evaluation.judge(before, group.watches.at(-1)?.tank, group.start?.judged);
    this.#at = before?.at ?? Number.NEGATIVE_INFINITY;
    this.#nextHour = before === undefined ? Number.NEGATIVE_INFINITY : hourOf(before.at) + HOUR_MS;
  }

  /** Where this report begins an hour: what those before it led to. */
  checkpointBefore(report: Report): Judgement | undefined {
    if (report.at < this.#nextHour) return undefined;
    this.#nextHour = hourOf(report.at) + HOUR_MS;
    if (this.#at === Number.NEGATIVE_INFINITY) return undefined;
    // the same whether the clock had already been asked or not
    this.#judge.advance(report.at - 1);
    return this.#judge.judgement();
  }

  /** Takes what the clock has changed until a time (epoch ms) without a report. */
  advance(until: number): void {
    const due = this.dueAt;
    if (due === undefined || due > until) return;
    this.#judge.advance(until);
    this.#at = Math.max(this.#at, due);
    this.isChanged = true;
  }

  /** When the clock will change something if no report comes, epoch ms. */
  get dueAt(): number | undefined {
    return this.#judge.dueAt;
  }

  /** Of one time, the last one is kept. */
  keep(checkpoint: Judgement): void {
    if (this.checkpoints.at(-1)?.at === checkpoint.at) this.checkpoints.pop();
    this.checkpoints.push(checkpoint);
  }

  next(report: Report): void {
    this.#judge.next(report);
    this.#at = report.at;
    this.isChanged = true;
  }

  /** undefined: no report was judged, now or before */
  judgement(): Judgement | undefined {
    return this.#at === Number.NEGATIVE_INFINITY ? undefined : this.#judge.judgement();
  }

  get notified(): readonly Episode[] {
    return this.#judge.notified;
  }

  /** notified episodes at the time of the decision */
  get decided(): readonly Episode[] {
    return this.#judge.decided;
  }

  /** notified episodes whose value is another one now */
  get amended(): readonly Episode[] {
    return this.#judge.amended;
  }

  /** notified before, as far as it is known now */
  get carried(): readonly Episode[] {
    return this.#judge.carried;
  }
}
