import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { answerOf, api } from '../../api.ts';
import { Loaded } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';
import { Chart } from './chart.tsx';

type FuelLevels =
  paths['/v1/vehicles/get_fuel_levels']['post']['responses']['200']['content']['application/json']['items'][number];

interface FuelProps {
  readonly targa: string;
  readonly from: string;
  readonly to: string;
  /** of the replay, epoch ms */
  readonly at: number;
  readonly onPick: (at: number) => void;
}

/** Level of the tank, in liters where the size is known, otherwise in percent; refuels and drains. */
export function Fuel({ targa, from, to, ...position }: FuelProps) {
  const levels = useQuery({
    queryKey: ['fuel', targa, from, to],
    queryFn: async () =>
      (await answerOf(api.POST('/v1/vehicles/get_fuel_levels', { body: { vehicles: [targa], from, to } }))).items[0] ??
      null,
    retry: false,
  });
  return <Loaded query={levels}>{(known) => known !== null && <Levels levels={known} {...position} />}</Loaded>;
}

function Levels({ levels, at, onPick }: Pick<FuelProps, 'at' | 'onPick'> & { readonly levels: FuelLevels }) {
  const { t, clock, number } = useSession();
  const { series, refuels, drains, hint } = levels;
  const isLitres = series.some(([, litres]) => litres !== null) === true;
  const points = useMemo(
    () =>
      series.map(([time, litres, percent]) => ({
        at: Date.parse(String(time)),
        value: isLitres ? Number(litres) : Number(percent),
      })),
    [series, isLitres],
  );
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
