import type { AlarmEvent, Episode } from './state.ts';

/** An episode that was notified. Times are epoch ms. */
export interface KnownEpisode {
  /** of the event that notified it */
  readonly key: string;
  /** which of the rule's areas; 0: the first, or the rule has none */
  readonly area: number;
  readonly from: number;
  readonly to: number;
  /** corrections sent so far */
  readonly corrections: number;
  readonly isWithdrawn: boolean;
}

export interface Difference {
  readonly events: readonly AlarmEvent[];
  /** episodes that are new or changed */
  readonly episodes: readonly KnownEpisode[];
}

export const correctionKey = (key: string, number: number): string => `${key}.${number}`;

/** Key of an episode that is notified for the first time: areas may be entered at the same time. */
export const keyOf = ({ from, area = 0 }: Pick<Episode, 'from' | 'area'>): string =>
  area === 0 ? String(from) : `${from}@${area}`;

const overlaps = (a: KnownEpisode, b: Episode): boolean => a.from <= b.to && a.to >= b.from;

/**
 * What is notified so that the notified episodes of a period become those that all of its reports lead to. `known` also
 * contains withdrawn episodes, and those that were moved out of the period: their keys are not used again.
 */
export function difference(
  found: readonly Episode[],
  known: readonly KnownEpisode[],
  isWithin: (from: number) => boolean,
): Difference {
  const events: AlarmEvent[] = [];
  const episodes: KnownEpisode[] = [];
  const active = new Set(known.filter((one) => !one.isWithdrawn && isWithin(one.from)));
  const withdrawn = new Set(known.filter((one) => one.isWithdrawn));
  const keys = new Set(known.map(({ key }) => key));
  const open = new Set(found);
  const pair = (from: Set<KnownEpisode>, matches: (one: KnownEpisode, episode: Episode) => boolean): void => {
    for (const episode of open) {
      const { area = 0 } = episode;
      const one = [...from].find((candidate) => candidate.area === area && matches(candidate, episode));
      if (one === undefined) continue;
      open.delete(episode);
      from.delete(one);
      const isSame = one.from === episode.from && !one.isWithdrawn;
      if (isSame && one.to === episode.to) continue;
      const corrections = one.corrections + (isSame ? 0 : 1);
      episodes.push({ ...one, from: episode.from, to: episode.to, corrections, isWithdrawn: false });
      if (!isSame) {
        events.push({
          kind: 'moved',
          key: correctionKey(one.key, corrections),
          corrects: one.key,
          ...detailsOf(episode),
        });
      }
    }
  };
  // first of all by the start that was notified: the same message is not sent again
  pair(active, (one, episode) => one.key === keyOf(episode));
  pair(withdrawn, (one, episode) => one.key === keyOf(episode));
  pair(active, (one, { from }) => one.from === from);
  pair(active, overlaps);
  for (const episode of open) {
    const key = freeKey(keyOf(episode), keys);
    keys.add(key);
    episodes.push({
      key,
      area: episode.area ?? 0,
      from: episode.from,
      to: episode.to,
      corrections: 0,
      isWithdrawn: false,
    });
    events.push({ kind: 'alarm', key, ...detailsOf(episode) });
  }
  for (const one of active) {
    const corrections = one.corrections + 1;
    episodes.push({ ...one, corrections, isWithdrawn: true });
    events.push({
      kind: 'withdrawn',
      key: correctionKey(one.key, corrections),
      corrects: one.key,
      at: one.from,
      ...(one.area === 0 ? {} : { area: one.area }),
    });
  }
  return { events, episodes };
}

function freeKey(wanted: string, keys: ReadonlySet<string>): string {
  let key = wanted;
  for (let n = 2; keys.has(key); n++) key = `${wanted}-${n}`;
  return key;
}

const detailsOf = ({
  from,
  spot,
  peak,
  unit,
  area,
  detail,
}: Episode): Omit<AlarmEvent, 'kind' | 'key' | 'corrects'> => ({
  at: from,
  ...(spot === undefined ? {} : { spot }),
  ...(peak === undefined ? {} : { value: peak }),
  ...(unit === undefined ? {} : { unit }),
  ...(area === undefined ? {} : { area }),
  ...(detail === undefined ? {} : { detail }),
});

/** The event of an episode that is notified for the first time, while no later report is known. */
export const alarmOf = (episode: Episode): AlarmEvent => ({
  kind: 'alarm',
  key: keyOf(episode),
  ...detailsOf(episode),
});

/** The value of an episode that was notified, by the event of this key, is another one. No value is notified twice. */
export const amendmentOf = (episode: Episode, key: string): AlarmEvent => ({
  kind: 'moved',
  key: `${key}=${Math.round(10 * (episode.peak ?? 0)) / 10}`,
  corrects: key,
  ...detailsOf(episode),
});
