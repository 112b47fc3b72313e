import { countryCode } from '../nations.ts';
import { DAY, type Minute, type Timeline } from '../timeline/timeline.ts';
import type { Position } from '../values.ts';
import type { Analysis, AnalysisOptions, DailyPeriod, KnownPlace, WeeklyRest } from './analysis.ts';
import { type Notice, stableId } from './findings.ts';
import { WEEK, weekOf } from './segments.ts';
import { REGULAR_WEEKLY } from './weekly.ts';

/** Article 1 of Regulation 581/2010. */
const DOWNLOAD_EVERY = 28 * DAY;
const NEAR_BASE_KM = 50;

type NoticeInput = Omit<Notice, 'id'>;

/** Missing data, and cases that the data alone cannot decide. */
export function noticesOf(
  timeline: Timeline,
  options: AnalysisOptions,
  periods: readonly DailyPeriod[],
  weeklyRests: readonly WeeklyRest[],
): Notice[] {
  const input: NoticeInput[] = [
    ...withoutData(timeline),
    ...lateDownloads(options.downloads ?? []),
    ...withoutCard(options.withoutCard ?? []),
    ...(options.places === undefined ? [] : missingPlaces(periods, options.places, timeline)),
    ...(options.places === undefined ? [] : missingBorders(options.places)),
    ...nightsAway(weeklyRests, options),
    ...afterTwoReduced(weeklyRests, options),
  ];
  return input
    .map((notice) => ({ id: stableId(options.driver, notice.kind, notice.from), ...notice }))
    .sort((a, b) => a.from - b.from || (a.kind < b.kind ? -1 : 1));
}

/** The notices of corrected data, and one for each infringement of the recorded data that is no longer in them. */
export function correctedAway(
  recorded: Pick<Analysis, 'findings'>,
  { findings, notices }: Pick<Analysis, 'findings' | 'notices'>,
  driver: AnalysisOptions['driver'],
): Notice[] {
  const remaining = new Set(findings.map(({ id }) => id));
  const removed = recorded.findings
    .filter(({ id }) => !remaining.has(id))
    .map(({ rule, from, to, evidence }): Notice => {
      const fileIds = [...new Set(evidence.flatMap((part) => part.fileIds))].sort();
      const input = notice('infringement-corrected', null, from, to, rule, fileIds);
      return { id: stableId(driver, input.kind, rule, from), ...input };
    });
  return [...notices, ...removed].sort((a, b) => a.from - b.from || (a.kind < b.kind ? -1 : 1));
}

/** Gaps between known times; for whole days a file is missing, otherwise a manual entry. */
function withoutData({ intervals, days, from: start }: Timeline): NoticeInput[] {
  const last = intervals.findLastIndex(({ activity }) => activity !== 'unknown');
  const first = intervals.findIndex(({ activity }) => activity !== 'unknown');
  return intervals.slice(first, last).flatMap(({ activity, from, to }): NoticeInput[] => {
    if (activity !== 'unknown') return [];
    const own = days.slice(Math.floor((from - start) / DAY), Math.ceil((to - start) / DAY));
    const missing = own.some(({ fileIds }) => fileIds.length === 0);
    const fileIds = [...new Set(own.flatMap((day) => day.fileIds))].sort();
    return [
      missing
        ? notice('missing-data', null, from, to, 'no file has data of these days', fileIds)
        : notice('undeclared-activity', 'T1', from, to, 'the card was out, and nothing was entered for it', fileIds),
    ];
  });
}

function notice(
  kind: Notice['kind'],
  rule: Notice['rule'],
  from: Minute,
  to: Minute,
  detail: string,
  fileIds: readonly string[] = [],
): NoticeInput {
  return { kind, rule, from, to, minutes: to - from, detail, fileIds };
}

const lateDownloads = (downloads: readonly Minute[]): NoticeInput[] =>
  downloads.slice(1).flatMap((at, index) => {
    const before = downloads[index]!;
    if (at - before <= DOWNLOAD_EVERY) return [];
    return [notice('late-download', 'DL', before + DOWNLOAD_EVERY, at, 'the card was read after more than 28 days')];
  });

const withoutCard = (events: NonNullable<AnalysisOptions['withoutCard']>): NoticeInput[] =>
  events.map(({ from, to, fileId }) =>
    notice('driving-without-card', 'T1', from, to, 'the vehicle was driven without a card', [fileId]),
  );

/** Begin and end of each daily work period in which there was driving; an open end has no notice. */
function missingPlaces(
  periods: readonly DailyPeriod[],
  places: readonly KnownPlace[],
  timeline: Timeline,
): NoticeInput[] {
  const oldest = places[0]?.at ?? timeline.to;
  const has = (kind: KnownPlace['kind'], from: Minute, to: Minute): boolean =>
    places.some((place) => place.kind === kind && place.at >= from && place.at <= to);
  return periods.flatMap(({ from, to, driving, dailyRest: rest }): NoticeInput[] => {
    // Cards hold fewer places than days: before the oldest one no notice is given.
    if (driving === 0 || from < oldest) return [];
    const begins = has('begin', from - 60, to);
    const ends = rest.to === null || has('end', from, rest.to);
    if (begins && ends) return [];
    const which = begins ? 'ended' : ends ? 'began' : 'began and ended';
    return [notice('place-missing', 'T1', from, to, `nothing says in which country the daily work period ${which}`)];
  });
}

/** Two consecutive countries without a border crossing between them. */
function missingBorders(places: readonly KnownPlace[]): NoticeInput[] {
  const known = places.filter(({ country }) => country !== null);
  return known.slice(1).flatMap((place, index): NoticeInput[] => {
    const before = known[index]!;
    if (place.kind === 'border' || place.country === before.country) return [];
    const change = `the country changed from ${countryCode(before.country!)} to ${countryCode(place.country!)}`;
    return [notice('border-missing', 'T1', before.at, place.at, `${change}, and no border was entered`)];
  });
}

/** W4 and W5: for manual review, as the data do not show whether the driver slept in the vehicle or went home. */
function nightsAway(rests: readonly WeeklyRest[], { places, home }: AnalysisOptions): NoticeInput[] {
  if (places === undefined || home === undefined) return [];
  const regular = rests
    .filter(({ minutes }) => minutes >= REGULAR_WEEKLY)
    .map((rest): RegularRest => {
      const isKnown = rest.to !== null && rest.unknownMinutes === 0;
      return { rest, away: isKnown ? isAway(placeAt(places, rest.from), home) : undefined };
    });
  const inVehicle = regular
    .filter(({ away }) => away === true)
    .map(({ rest: { from, to } }) =>
      notice('rest-in-vehicle', 'W4', from, to!, 'a regular weekly rest away from home: not in the vehicle'),
    );
  return [...inVehicle, ...fourWeeksAway(regular)];
}

interface RegularRest {
  readonly rest: WeeklyRest;
  /** `undefined` if it is unknown: the driver may have been at home. */
  readonly away: boolean | undefined;
}

/**
 * Article 8(8a), first subparagraph: within each period of four consecutive weeks, Monday 00:00 to Sunday 24:00 (article
 * 4(i)), a regular weekly rest at home. One notice for each four weeks between two such rests.
 */
function fourWeeksAway(regular: readonly RegularRest[]): NoticeInput[] {
  const input: NoticeInput[] = [];
  const weekOfRest = ({ rest: { week, from } }: RegularRest): Minute => week ?? weekOf(from);
  for (let index = 0; index < regular.length; index++) {
    if (regular[index]!.away !== true) continue;
    const before = regular[index - 1];
    const last = regular.findIndex(({ away }, at) => at > index && away !== true);
    const end = last < 0 ? regular.length : last;
    // after a rest at home the weeks count from the next one; otherwise from the first that is known to be without
    let from = before?.away === false ? weekOfRest(before) + WEEK : weekOfRest(regular[index]!);
    const to = regular[end]?.away === false ? weekOfRest(regular[end]!) : weekOfRest(regular[end - 1]!) + WEEK;
    for (; from + 4 * WEEK <= to; from += 4 * WEEK) {
      const detail = 'no regular weekly rest at home or at a base in four consecutive weeks';
      input.push(notice('return-home', 'W5', from, from + 4 * WEEK, detail));
    }
    index = end;
  }
  return input;
}

/** Article 8(8a), second subparagraph: after two reduced weekly rests in a row the driver is home before the third. */
function afterTwoReduced(rests: readonly WeeklyRest[], { places, home }: AnalysisOptions): NoticeInput[] {
  if (places === undefined || home === undefined) return [];
  // of two rests in a week only one is its weekly rest
  const weekly = rests.filter(({ week }) => week !== null);
  return weekly.flatMap((rest, index): NoticeInput[] => {
    const before = weekly.slice(Math.max(0, index - 2), index);
    const isThird =
      before.length === 2 && before.every(({ kind, unknownMinutes }) => kind === 'reduced' && unknownMinutes === 0);
    if (!isThird || rest.kind !== 'regular' || rest.to === null || isAway(placeAt(places, rest.from), home) !== true)
      return [];
    const detail = 'after two reduced weekly rests in a row the next one was neither at home nor at a base';
    return [notice('return-home', 'W5', before[0]!.from, rest.from, detail)];
  });
}

/** The last place before a rest; a day old at most. */
export function placeAt(places: readonly KnownPlace[], at: Minute): KnownPlace | undefined {
  return (
    places.findLast((place) => place.at <= at + 5 && place.at > at - DAY && place.country !== null) ??
    places.findLast((place) => place.at <= at + 5 && place.at > at - DAY)
  );
}

/** `undefined` if it is unknown. */
export function isAway(place: KnownPlace | undefined, home: NonNullable<AnalysisOptions['home']>): boolean | undefined {
  if (place === undefined) return undefined;
  if (place.country !== null) {
    const isAbroad = place.country !== home.establishment && place.country !== home.residence;
    if (isAbroad) return true;
  }
  const { position } = place;
  if (position === null || home.bases === undefined) return place.country === null ? undefined : false;
  return home.bases.every((base) => kilometres(base, position) > NEAR_BASE_KM);
}

function kilometres(a: Position, b: Position): number {
  const radians = Math.PI / 180;
  const lat = ((b.latitude - a.latitude) * radians) / 2;
  const lon = ((b.longitude - a.longitude) * radians) / 2;
  const chord =
    Math.sin(lat) ** 2 + Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians) * Math.sin(lon) ** 2;
  return 12_742 * Math.asin(Math.sqrt(chord));
}
