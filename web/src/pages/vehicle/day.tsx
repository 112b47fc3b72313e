import type { paths } from '../../../../dist/client/fleetgate.d.ts';
import { Table } from '../../parts/listing.tsx';
import { useSession } from '../../session.tsx';

type Answer = paths['/v1/vehicles/routes']['put']['responses']['200']['content']['application/json'];
type Route = Answer['items'][number]['routes'][number];
type Shown = 'id' | 'distanceM' | 'durationS' | 'stopBeforeS' | 'maxSpeed';

export interface Trip extends Pick<Route, Shown> {
  readonly start: { readonly at: string };
  readonly end: { readonly at: string };
}

interface DayProps {
  readonly from: number;
  readonly to: number;
  readonly trips: readonly Trip[];
  readonly selected: string | undefined;
}

/** Trips as bars on the hours of the day; the table below has the same in text. */
export function DayBar({ from, to, trips, selected }: DayProps) {
  const { t, clock } = useSession();
  const share = (instant: string | number): number =>
    (100 * (Math.min(Math.max(new Date(instant).getTime(), from), to) - from)) / (to - from);
  return (
    <svg className="day-bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={t('vehicle.trips')}>
      <rect className="day-stop" x="0" y="2" width="100" height="6" />
      {trips.map(({ id, start, end }) => (
        <rect
          key={id}
          className={id === selected ? 'day-trip selected' : 'day-trip'}
          x={share(start.at)}
          y="1"
          width={Math.max(0.2, share(end.at) - share(start.at))}
          height="8"
        >
          <title>{`${clock(start.at)} – ${clock(end.at)}`}</title>
        </rect>
      ))}
      {[25, 50, 75].map((x) => (
        <line key={x} className="day-hour" x1={x} x2={x} y1="0" y2="10" />
      ))}
    </svg>
  );
}

interface TripsProps {
  readonly trips: readonly Trip[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
}

export function Trips({ trips, selected, onSelect }: TripsProps) {
  const { t, clock, duration, number } = useSession();
  if (trips.length === 0) return <p>{t('vehicle.noTrips')}</p>;
  return (
    <Table
      head={[
        t('vehicle.trip'),
        t('vehicle.start'),
        t('vehicle.end'),
        t('vehicle.duration'),
        t('vehicle.distance'),
        t('vehicle.maxSpeed'),
        t('vehicle.stop'),
      ]}
    >
      {trips.map(({ id, start, end, durationS, distanceM, maxSpeed, stopBeforeS }, index) => (
        <tr key={id}>
          <td>
            <button type="button" aria-pressed={id === selected} onClick={() => onSelect(id)}>
              {t('vehicle.trip')} {index + 1}
            </button>
          </td>
          <td>{clock(start.at)}</td>
          <td>{clock(end.at)}</td>
          <td>{duration(durationS)}</td>
          <td>{number(distanceM / 1_000, 1)} km</td>
          <td>{number(maxSpeed)} km/h</td>
          <td>{duration(stopBeforeS)}</td>
        </tr>
      ))}
    </Table>
  );
}
