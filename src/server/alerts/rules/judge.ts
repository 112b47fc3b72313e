import type { Episode, EpisodeStatus, FuelMemory, Judgement, Sample, Spot } from './state.ts';
import type { Fix } from './types.ts';

/** How results of a condition are turned into episodes. */
export interface EpisodeSettings {
  /** minimum duration, ms */
  readonly dwellMs: number;
  /** minimum gap before the next episode, ms */
  readonly clearMs: number;
  /** episodes on a transition only: the state before must be known */
  readonly isChange: boolean;
  /** an episode does not last across a longer silence of the device, ms */
  readonly silenceMs: number;
  /** ms after an alarm in which further alarms are suppressed */
  readonly cooldownMs: number;
  /** are episodes that begin at this time notified? */
  readonly notifiesAt: (epochMs: number) => boolean;
}

/** What conditions remember from one report to the next. */
export interface Memory {
  on: boolean | undefined;
  fuel: FuelMemory | undefined;
  /** the last fix: epoch ms, latitude, longitude */
  fix: readonly [number, number, number] | undefined;
  /** last reported */
  ignition: boolean | undefined;
  /** a key was reported last, not a logout */
  hasDriver: boolean | undefined;
}

export type Take = (at: number, sample: Sample, fix: Fix) => void;
/** Evaluates a report and takes what it says about the condition, in the order of time. */
export type Watching = (fix: Fix, memory: Memory, take: Take) => void;

type OpenEpisode = { -readonly [K in keyof Episode]: Episode[K] };

/**
 * Judges the reports of a device in their order. Carried on from a judgement, it comes to the same as over all reports
 * from the first one on.
 */
export class Judge {
  /** notified during this pass, in order of time */
  readonly notified: Episode[] = [];
  /** the same as they were when they were decided: what a message says does not depend on how many reports came at once */
  readonly decided: Episode[] = [];
  /** the last episode before this pass if it was notified: it may go on */
  readonly carried: Episode | undefined;
  readonly #settings: EpisodeSettings;
  readonly #watching: Watching;
  readonly #memory: Memory;
  #at: number;
  #id: string;
  #episode: OpenEpisode | undefined;
  #notifiedAt: number | undefined;

  constructor(watching: Watching, settings: EpisodeSettings, before: Judgement | undefined) {
    this.#watching = watching;
    this.#settings = settings;
    this.#at = before?.at ?? Number.NEGATIVE_INFINITY;
    this.#id = before?.id ?? '';
    this.#memory = {
      on: before?.on,
      fuel: before?.fuel,
      fix: before?.fix,
      ignition: before?.ignition,
      hasDriver: before?.hasDriver,
    };
    this.#episode = before?.episode === undefined ? undefined : { ...before.episode };
    this.carried = this.#episode?.status === 'notified' ? this.#episode : undefined;
    this.#notifiedAt = before?.notifiedAt;
  }

  next(fix: Fix): void {
    if (fix.at - this.#at > this.#settings.silenceMs) this.#memory.on = undefined;
    this.#watching(fix, this.#memory, this.#take);
    this.#at = fix.at;
    this.#id = fix.id;
  }

  /** After at least one report. */
  judgement(): Judgement {
    const { on, fuel, fix, ignition, hasDriver } = this.#memory;
    return {
      at: this.#at,
      id: this.#id,
      ...(on === undefined ? {} : { on }),
      ...(this.#episode === undefined ? {} : { episode: { ...this.#episode } }),
      ...(this.#notifiedAt === undefined ? {} : { notifiedAt: this.#notifiedAt }),
      ...(fuel === undefined ? {} : { fuel }),
      ...(fix === undefined ? {} : { fix }),
      ...(ignition === undefined ? {} : { ignition }),
      ...(hasDriver === undefined ? {} : { hasDriver }),
    };
  }

  readonly #take: Take = (at, sample, fix) => {
    const wasOn = this.#memory.on;
    this.#memory.on = sample.on;
    if (!sample.on) return;
    const { value } = sample;
    const episode = this.#episode;
    if (episode !== undefined && this.#continues(episode, at, sample, wasOn)) {
      episode.to = Math.max(episode.to, at);
      if (value !== undefined && (episode.peak === undefined || value > episode.peak)) episode.peak = value;
      if (episode.status === 'pending') this.#decide(episode, sample);
    } else {
      this.#begin(at, sample, fix, wasOn);
    }
  };

  #continues({ to }: Episode, at: number, { isPulse }: Sample, wasOn: boolean | undefined): boolean {
    return at <= to || at - to < this.#settings.clearMs || (wasOn === true && isPulse !== true);
  }

  #begin(at: number, sample: Sample, fix: Fix, wasOn: boolean | undefined): void {
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
    this.#episode = episode;
    if (status === 'pending') this.#decide(episode, sample);
  }

  #decide(episode: OpenEpisode, sample: Sample): void {
    const { dwellMs, cooldownMs, notifiesAt } = this.#settings;
    const { from, to } = episode;
    if (sample.sure !== true && to - from < dwellMs) return;
    const isCooling = this.#notifiedAt !== undefined && from - this.#notifiedAt < cooldownMs;
    if (isCooling || !notifiesAt(from)) {
      episode.status = 'silent';
      return;
    }
    episode.status = 'notified';
    this.#notifiedAt = from;
    this.notified.push(episode);
    this.decided.push({ ...episode });
  }
}

function spotOf({ latitude, longitude, speed, course, outdated }: Fix): Spot | undefined {
  if (outdated || latitude === undefined || longitude === undefined) return undefined;
  return {
    latitude,
    longitude,
    ...(speed === undefined ? {} : { speed }),
    ...(course === undefined ? {} : { course }),
  };
}
