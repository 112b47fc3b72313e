import { useQuery } from '@tanstack/react-query';
import type { Position } from 'geojson';
import { useEffect, useMemo, useState } from 'react';
import { answerOf, api } from '../../api.ts';
import { useMap } from '../../map/use-map.ts';
import { ReadingProblem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { Alarms, type TrackAlarm, useNotified } from './alarms.tsx';
import { Chart } from './chart.tsx';
import { Fuel } from './fuel.tsx';

const MOST_POINTS = 5_000;
const RATES = [1, 5, 20, 60];
const TICK_MS = 100;

export interface PathPoint {
  readonly at: number;
  readonly place: Position;
  readonly speed: number | null;
  readonly course: number;
}

/** Index of the last point at or before an instant; 0 before the first. */
export function indexAt(points: readonly PathPoint[], at: number): number {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (points[middle]!.at <= at) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function usePath(targa: string, from: string, to: string) {
  return useQuery({
    queryKey: ['path', targa, from, to],
    queryFn: async () => {
      const body = { targa, from, to, maxPoints: MOST_POINTS, include: ['events' as const] };
      const path = await answerOf(api.PUT('/v1/vehicles/percorso', { body }));
      const points = path.points.flatMap(({ fixTime, latitude, longitude, speed, course }): PathPoint[] =>
        fixTime === undefined || latitude === undefined || longitude === undefined
          ? []
          : [{ at: Date.parse(fixTime), place: [longitude, latitude], speed: speed ?? null, course: course ?? 0 }],
      );
      const alarms = (path.events ?? []).map(
        ({ at, type, latitude, longitude }): TrackAlarm => ({
          at: Date.parse(at),
          title: type,
          source: 'device',
          place: latitude === null || longitude === null ? undefined : [longitude, latitude],
        }),
      );
      return { points, alarms, downsampled: path.downsampled };
    },
  });
}

const NONE: readonly PathPoint[] = [];

export function Replay({ targa, from, to }: { targa: string; from: string; to: string }) {
  const { t, time } = useSession();
  const path = usePath(targa, from, to);
  const points = path.data?.points ?? NONE;
  const { container, map } = useMap(() => {});
  const [at, setAt] = useState(0);
  const [rate, setRate] = useState(20);
  const [isPlaying, setPlaying] = useState(false);
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const current = points[indexAt(points, at)];
  const notified = useNotified(targa, from, to);
  const alarms = useMemo(
    () => [...(path.data?.alarms ?? []), ...(notified.data ?? [])].sort((a, b) => a.at - b.at),
    [path.data, notified.data],
  );
  const speeds = useMemo(() => points.map((point) => ({ at: point.at, value: point.speed })), [points]);
  const places = useMemo(() => points.map(({ place }) => place), [points]);

  useEffect(() => {
    setAt(first);
    setPlaying(false);
  }, [first]);
  useEffect(() => void map?.showTrack(places, undefined), [map, places]);
  useEffect(() => void map?.showPlaces(alarms.flatMap(({ place }) => (place ? [place] : []))), [map, alarms]);
  useEffect(() => {
    void map?.showReplay(current === undefined ? undefined : { at: current.place, course: current.course });
  }, [map, current]);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = window.setInterval(() => setAt((before) => Math.min(last, before + TICK_MS * rate)), TICK_MS);
    return () => window.clearInterval(timer);
  }, [isPlaying, rate, last]);
  useEffect(() => {
    if (at >= last) setPlaying(false);
  }, [at, last]);

  return (
    <section aria-label={t('vehicle.replay')}>
      <h2>{t('vehicle.replay')}</h2>
      <ReadingProblem query={path} />
      {path.data !== undefined && points.length === 0 && <p>{t('vehicle.noPath')}</p>}
      {path.data?.downsampled === true && <p className="quiet">{t('vehicle.reduced', { n: points.length })}</p>}
      <div className="replay-map">
        <section ref={container} className="map" aria-label={t('map.canvas')} />
      </div>
      {current !== undefined && (
        <>
          <div className="actions">
            <button type="button" onClick={() => setPlaying(!isPlaying)}>
              {isPlaying ? t('vehicle.pause') : t('vehicle.play')}
            </button>
            <select
              aria-label={t('vehicle.rate')}
              value={rate}
              onChange={(event) => setRate(Number(event.target.value))}
            >
              {RATES.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
            <input
              type="range"
              aria-label={t('vehicle.at')}
              aria-valuetext={time(current.at)}
              min={first}
              max={last}
              step={1_000}
              value={at}
              onChange={(event) => setAt(Number(event.target.value))}
            />
            <output>
              {time(current.at)} · {current.speed ?? t('vehicle.none')} km/h
            </output>
          </div>
          <Chart caption={t('vehicle.chart')} points={speeds} at={current.at} onPick={setAt} />
        </>
      )}
      <Fuel targa={targa} from={from} to={to} at={at} onPick={setAt} />
      <Alarms alarms={alarms} onPick={setAt} />
    </section>
  );
}
