import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '../../api.ts';
import { Problem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { Chart } from './chart.tsx';

interface FuelProps {
  readonly targa: string;
  readonly from: string;
  readonly to: string;
  /** of the replay, epoch ms */
  readonly at: number;
  readonly onPick: (at: number) => void;
}

/** Level of the tank, in liters where the size is known, otherwise in percent; refuels and drains. */
export function Fuel({ targa, from, to, at, onPick }: FuelProps) {
  const { t, clock, number } = useSession();
  const levels = useQuery({
    queryKey: ['fuel', targa, from, to],
    queryFn: async () =>
      (await answerOf(api.POST('/v1/vehicles/get_fuel_levels', { body: { vehicles: [targa], from, to } }))).items[0],
    retry: false,
  });
  const series = levels.data?.series;
  const isLitres = series?.some(([, litres]) => litres !== null) === true;
  const points = useMemo(
    () =>
      (series ?? []).map(([time, litres, percent]) => ({
        at: Date.parse(String(time)),
        value: isLitres ? Number(litres) : Number(percent),
      })),
    [series, isLitres],
  );
  if (levels.isError) return <Problem error={levels.error.message} retry={() => void levels.refetch()} />;
  if (levels.data === undefined) return null;
  const { refuels, drains, hint } = levels.data;
  const changes = [
    ...refuels.map((each) => ({ ...each, text: t('vehicle.refuel') })),
    ...drains.map((each) => ({ ...each, text: t('vehicle.drain') })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  if (points.length === 0) {
    return (
      <p className="quiet">
        {t('vehicle.noFuel')} {hint}
      </p>
    );
  }
  return (
    <>
      <Chart caption={t('vehicle.fuel', { unit: isLitres ? 'l' : '%' })} points={points} at={at} onPick={onPick} />
      <ul>
        {changes.map(({ at: when, litres, percent, text }) => (
          <li key={`${when} ${text}`}>
            <button type="button" onClick={() => onPick(Date.parse(when))}>
              {clock(when)}
            </button>{' '}
            {text}: {litres === null ? `${number(percent ?? 0, 1)} %` : `${number(litres, 1)} l`}
          </li>
        ))}
      </ul>
    </>
  );
}
