import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answerOf, api, type Vehicle } from '../../api.ts';
import { useNow } from '../../parts/now.ts';
import { ReadingProblem } from '../../parts/problem.tsx';
import { useSession } from '../../session.tsx';

/** Newest value of each attribute, with its age: values of one position are not all of the same time. */
export function State({ imei, position }: { imei: string; position: Vehicle['lastPosition'] }) {
  const { t, age, time, number } = useSession();
  const now = useNow();
  const state = useQuery({
    queryKey: ['state', imei],
    queryFn: () => answerOf(api.GET('/v1/devices/{imei}/state', { params: { path: { imei } } })),
  });
  const { refetch } = state;
  const newest = position?.id;
  useEffect(() => {
    if (newest !== undefined) void refetch();
  }, [newest, refetch]);
  const { latitude, longitude, speed } = position ?? {};
  const at = position?.fixTime ?? position?.serverTime;
  const shown = (value: unknown): string => {
    if (typeof value === 'number') return number(value, 3);
    return typeof value === 'boolean' ? t(value ? 'options.yes' : 'options.no') : String(value);
  };
  const attributes = Object.entries(state.data?.attributes ?? {}).sort(([a], [b]) => a.localeCompare(b));
  return (
    <section>
      <h2>{t('vehicle.state')}</h2>
      <ReadingProblem query={state} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, with the keyboard too */}
      <section className="scroll state" aria-label={t('vehicle.state')} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{t('vehicle.attribute')}</th>
              <th>{t('vehicle.value')}</th>
              <th>{t('vehicle.age')}</th>
            </tr>
          </thead>
          <tbody>
            {latitude !== undefined && longitude !== undefined && (
              <tr>
                <th scope="row">{t('vehicle.position')}</th>
                <td>
                  {number(latitude, 5)}, {number(longitude, 5)}
                </td>
                <td title={time(at)}>{age(at, now)}</td>
              </tr>
            )}
            {speed !== undefined && (
              <tr>
                <th scope="row">{t('vehicle.speed')}</th>
                <td>{number(speed)} km/h</td>
                <td title={time(at)}>{age(at, now)}</td>
              </tr>
            )}
            {attributes.map(([name, { value, time: since }]) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td>{shown(value)}</td>
                <td title={time(since)}>{age(since, now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
