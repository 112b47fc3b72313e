import {
  type Episode,
  type EpisodeStatus,
  type FuelMemory,
  type Judgement,
  type LastValues,
  type Part,
  partsOf,
  type Sample,
  type Spot,
} from './state.ts';
import type { Fix, Located } from './types.ts';

/** How results of a condition are turned into episodes. */
export interface EpisodeSettings {
  /** conditions that are judged for themselves: one for each area, or one */
  readonly parts: number;
  /** minimum duration, ms */
  readonly dwellMs: number;
  /** minimum gap before the next episode, ms */
  readonly clearMs: number;
  /** episodes on a transition only: the state before must be known */
  readonly isChange: boolean;
  /** the condition holds until a report says otherwise: its minimum duration ends by the clock */
  readonly isState: boolean;
  readonly timed: Timed | undefined;
  /** an episode does not last across a longer silence of the device, ms */
  readonly silenceMs: number;
  /** ms after an alarm in which further alarms are suppressed */
  readonly cooldownMs: number;
  /** are episodes that begin at this time notified? */
  readonly notifiesAt: (epochMs: number) => boolean;
}

/** What conditions remember from one report to the next. */
export interface Memory {
  /** last result of each part */
  readonly on: (boolean | undefined)[];
  fuel: FuelMemory | undefined;
  /** the last fix: epoch ms, latitude, longitude */
  fix: readonly [number, number, number] | undefined;
  /** last reported */
  ignition: boolean | undefined;
  movement: number | boolean | undefined;
  values: LastValues | undefined;
  /** a key was reported last, not a logout */
  hasDriver: boolean | undefined;
}

/** `part`: which condition the sample is of, from 0 (default) */
export type Take = (at: number, sample: Sample, fix: Located, part?: number) => void;
/** Evaluates a report and takes what it says about the condition, in the order of time. */
export type Watching = (fix: Fix, memory: Memory, take: Take) => void;

/** A condition that also changes by the clock, without a report. Times are epoch ms. */
export interface Timed {
  /** a time that counts even if it was over when the rule was made */
  readonly isOnce?: true;
  /** the next change after a time; undefined: none, or none that is known before the first report */
  next(after: number): number | undefined;
  /** takes what is so from this time on */
  pass(at: number, memory: Memory, take: Take): void;
}

type OpenEpisode = { -readonly [K in keyof Episode]: Episode[K] };

/** smaller corrections of a value are not worth a message, in its unit */
const LEAST_AMENDMENT = 1;

interface OpenPart {
  episode: OpenEpisode | undefined;
  notifiedAt: number | undefined;
}

/**
 * Judges the reports of a device in their order. Carried on from a judgement, it comes to the same as over all reports
 * from the first one on.
 */
export class Judge {
  /** notified during this pass, in order of time */
  readonly notified: Episode[] = [];
  /** the same as they were when they were decided: what a message says does not depend on how many reports came at once */
  readonly decided: Episode[] = [];
  /** notified ones, now or before, of which the value is another one than that which was notified */
  readonly amended: Episode[] = [];
  /** the last episode of each part before this pass if it was notified: it may go on */
  readonly carried: readonly Episode[];
  readonly #settings: EpisodeSettings;
  readonly #watching: Watching;
  readonly #memory: Memory;
  #at: number;
  #id: string;
  /** last report */
  #seenAt: number;
  /** next change by the clock, as far as it was looked for */
  #change: { readonly after: number; readonly at: number | undefined } | undefined;
  readonly #parts: readonly OpenPart[];

  constructor(watching: Watching, settings: EpisodeSettings, before: Judgement | undefined) {
    this.#watching = watching;
    this.#settings = settings;
    this.#at = before?.at ?? Number.NEGATIVE_INFINITY;
    this.#id = before?.id ?? '';
    this.#seenAt = before?.seenAt ?? this.#at;
    const known = knownParts(before, settings.parts);
    this.#memory = {
      on: known.map(({ on }) => on),
      fuel: before?.fuel,
      fix: before?.fix,
      ignition: before?.ignition,
      movement: before?.movement,
      values: before?.values,
      hasDriver: before?.hasDriver,
    };
    this.#parts = known.map(({ episode, notifiedAt }) => ({
      episode: episode === undefined ? undefined : { ...episode },
      notifiedAt,
    }));
    this.carried = this.#parts.flatMap(({ episode }) => (episode?.status === 'notified' ? [episode] : []));
  }

  next(fix: Fix): void {
    this.advance(fix.at);
    if (fix.at - this.#seenAt > this.#settings.silenceMs) this.#memory.on.fill(undefined);
    this.#watching(fix, this.#memory, this.#take);
    this.#at = fix.at;
    this.#id = fix.id;
    this.#seenAt = fix.at;
  }

  /**
   * What was known of the device when the rule was made (at `since`, epoch ms): no report is judged, and nothing notified.
   */
  start(known: Fix, since: number): void {
    this.#watching(known, this.#memory, this.#take);
    const { isChange, timed } = this.#settings;
    for (const [n, part] of this.#parts.entries()) {
      part.notifiedAt = undefined;
      // a state that lasts is notified with the first report under the rule, a change was before it
      if (isChange && part.episode !== undefined) part.episode.status = 'unknown';
      if (!isChange) [part.episode, this.#memory.on[n]] = [undefined, undefined];
    }
    this.notified.length = 0;
    this.decided.length = 0;
    this.#seenAt = known.at;
    if (timed?.isOnce !== true) this.#at = since;
  }

  /** When the clock will change something if no report comes, epoch ms. */
  get dueAt(): number | undefined {
    const due = this.#held().map(({ at }) => at);
    const change = this.#nextChange();
    if (change !== undefined) due.push(change);
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Takes what the clock changes until a time. */
  advance(until: number): void {
    for (let at = this.dueAt; at !== undefined && at <= until; at = this.dueAt) {
      for (const { part, episode, at: heldUntil } of this.#held()) {
        if (heldUntil === at) this.#decide(part, episode, true);
      }
      if (this.#nextChange() === at) this.#settings.timed?.pass(at, this.#memory, this.#take);
      this.#at = at;
      this.#id = '';
    }
  }

  #nextChange(): number | undefined {
    if (this.#settings.timed === undefined) return undefined;
    const known = this.#change;
    const isKnown =
      known !== undefined &&
      (known.at === undefined ? Number.isFinite(known.after) : known.after <= this.#at && known.at > this.#at);
    if (isKnown) return known.at;
    this.#change = { after: this.#at, at: this.#settings.timed.next(this.#at) };
    return this.#change.at;
  }

  /** Episodes whose minimum duration ends by the clock, and when. */
  #held(): { readonly part: OpenPart; readonly episode: OpenEpisode; readonly at: number }[] {
    const { isState, dwellMs, silenceMs } = this.#settings;
    if (!isState) return [];
    return this.#parts.flatMap((part, n) => {
      const { episode } = part;
      if (episode?.status !== 'pending' || this.#memory.on[n] !== true) return [];
      const at = Math.max(episode.from + dwellMs, this.#at);
      return at - this.#seenAt > silenceMs ? [] : [{ part, episode, at }];
    });
  }

  /** After at least one report. */
  judgement(): Judgement {
    const { on, fuel, fix, ignition, movement, values, hasDriver } = this.#memory;
    const parts = this.#parts.map(
      ({ episode, notifiedAt }, n): Part => ({
        ...(on[n] === undefined ? {} : { on: on[n] }),
        ...(episode === undefined ? {} : { episode: { ...episode } }),
        ...(notifiedAt === undefined ? {} : { notifiedAt }),
      }),
    );
    return {
      at: this.#at,
      id: this.#id,
      ...(this.#seenAt === this.#at ? {} : { seenAt: this.#seenAt }),
      ...(parts.length === 1 ? parts[0] : { areas: parts }),
      ...(fuel === undefined ? {} : { fuel }),
      ...(fix === undefined ? {} : { fix }),
      ...(ignition === undefined ? {} : { ignition }),
      ...(movement === undefined ? {} : { movement }),
      ...(values === undefined ? {} : { values }),
      ...(hasDriver === undefined ? {} : { hasDriver }),
    };
  }

  readonly #take: Take = (at, sample, fix, n = 0) => {
    const wasOn = this.#memory.on[n];
    if (sample.isFinal !== true) this.#memory.on[n] = sample.on;
    if (!sample.on) return;
    const { value } = sample;
    const part = this.#parts[n]!;
    const { episode } = part;
    if (sample.isFinal === true) {
      if (episode?.from === at && value !== undefined) this.#amend(episode, value);
      return;
    }
    if (episode !== undefined && this.#continues(episode, at, sample, wasOn)) {
      episode.to = Math.max(episode.to, at);
      if (value !== undefined && (episode.peak === undefined || value > episode.peak)) episode.peak = value;
      if (episode.status === 'pending') this.#decide(part, episode, sample.sure === true);
    } else {
      this.#begin(part, at, sample, fix, wasOn);
    }
  };

  #amend(episode: OpenEpisode, value: number): void {
    const before = episode.peak ?? value;
    episode.peak = value;
    if (episode.status === 'notified' && Math.abs(value - before) >= LEAST_AMENDMENT) this.amended.push({ ...episode });
  }

  #continues({ to }: Episode, at: number, { isPulse }: Sample, wasOn: boolean | undefined): boolean {
    return at <= to || at - to < this.#settings.clearMs || (wasOn === true && isPulse !== true);
  }

  #begin(part: OpenPart, at: number, sample: Sample, fix: Located, wasOn: boolean | undefined): void {
    const spot = spotOf(fix);
    const status: EpisodeStatus = this.#settings.isChange && wasOn === undefined ? 'unknown' : 'pending';
    const episode: OpenEpisode = {
      from: at,
      to: at,
      status,
      ...(spot === undefined ? {} : { spot }),
      ...(sample.value === undefined ? {} : { peak: sample.value }),
      ...(sample.unit === undefined ? {} : { unit: sample.unit }),
      ...(sample.area === undefined ? {} : { area: sample.area }),
      ...(sample.detail === undefined ? {} : { detail: sample.detail }),
    };
    part.episode = episode;
    if (status === 'pending') this.#decide(part, episode, sample.sure === true);
  }

  /** `isLong`: whatever its reports say, the minimum duration is over */
  #decide(part: OpenPart, episode: OpenEpisode, isLong: boolean): void {
    const { dwellMs, cooldownMs, notifiesAt } = this.#settings;
    const { from, to } = episode;
    if (!isLong && to - from < dwellMs) return;
    const isCooling = part.notifiedAt !== undefined && from - part.notifiedAt < cooldownMs;
    if (isCooling || !notifiesAt(from)) {
      episode.status = 'silent';
      return;
    }
    episode.status = 'notified';
    part.notifiedAt = from;
    this.notified.push(episode);
    this.decided.push({ ...episode });
  }
}

/** Parts that are not known of begin anew. */
function knownParts(before: Judgement | undefined, count: number): readonly Part[] {
  const known = before === undefined ? [] : partsOf(before);
  return Array.from({ length: count }, (_, n) => (known.length === count ? known[n]! : {}));
}

function spotOf({ latitude, longitude, speed, course, outdated }: Located): Spot | undefined {
  if (outdated || latitude === undefined || longitude === undefined) return undefined;
  return {
    latitude,
    longitude,
    ...(speed === undefined ? {} : { speed }),
    ...(course === undefined ? {} : { course }),
  };
}
