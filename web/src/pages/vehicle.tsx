import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { answerOf, api, every, type Vehicle } from '../api.ts';
import { Table } from '../parts/listing.tsx';
import { useNow } from '../parts/now.ts';
import { Problem, ReadingProblem } from '../parts/problem.tsx';
import { VehicleStatus } from '../parts/status.tsx';
import { useFleet, useSession } from '../session.tsx';
import { dayOf, shiftDay, startOfDay } from '../zone.ts';
import { useDrivers } from './tachograph/shared.tsx';
import { DayBar, type Trip, Trips } from './vehicle/day.tsx';
import { Downloads } from './vehicle/downloads.tsx';
import { Replay } from './vehicle/replay.tsx';
import { State } from './vehicle/state.tsx';

const route = getRouteApi('/vehicles/$targa');
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function VehiclePage() {
  const { targa } = route.useParams();
  const { loaded, problem, vehicles } = useFleet();
  const { t, fleet } = useSession();
  const vehicle = vehicles.find((each) => each.targa === targa);
  if (vehicle !== undefined) return <Known vehicle={vehicle} />;
  if (problem !== undefined) return <Problem error={problem} retry={() => void fleet.load()} />;
  if (!loaded) return <p className="notice">{t('loading')}</p>;
  return (
    <div className="page">
      <h1>{t('error.missing')}</h1>
    </div>
  );
}

function Known({ vehicle }: { vehicle: Vehicle }) {
  const { t, zone, may } = useSession();
  const { targa, imei } = vehicle;
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/vehicles/$targa' });
  const now = useNow();
  const today = dayOf(now, zone);
  const day = search.day !== undefined && DAY.test(search.day) ? search.day : today;
  const [from, to] = [startOfDay(day, zone), startOfDay(shiftDay(day, 1), zone)];
  const interval = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const trips = useQuery({
    queryKey: ['trips', targa, interval],
    queryFn: async () => {
      const body = { vehicles: [targa], ...interval };
      const { items } = await answerOf(api.PUT('/v1/vehicles/routes', { body }));
      return items[0]?.routes ?? [];
    },
    refetchInterval: every(day === today && 60_000),
  });
  const routes: readonly Trip[] = trips.data ?? [];
  const trip = routes.find(({ id }) => id === search.trip);
  const shown = trip === undefined ? interval : { from: trip.start.at, to: trip.end.at };
  const go = (more: { day?: string | undefined; trip?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  return (
    <div className="page">
      <h1>
        {targa} <VehicleStatus status={vehicle.status} />
      </h1>
      <p className="actions">
        <Link to="/map" search={{ vehicle: targa }}>
          {t('nav.map')}
        </Link>
        {imei !== null && may('commands:read') && (
          <Link to="/commands" search={{ imei }}>
            {t('vehicle.commands')}
          </Link>
        )}
      </p>
      {imei === null ? <p>{t('vehicle.noDevice')}</p> : <State imei={imei} position={vehicle.lastPosition} />}
      <section aria-label={t('vehicle.day')}>
        <div className="actions">
          <button type="button" onClick={() => go({ day: shiftDay(day, -1), trip: undefined })}>
            {t('vehicle.previousDay')}
          </button>
          <input
            type="date"
            aria-label={t('vehicle.day')}
            value={day}
            max={today}
            onChange={(event) => event.target.value && go({ day: event.target.value, trip: undefined })}
          />
          <button type="button" disabled={day >= today} onClick={() => go({ day: shiftDay(day, 1), trip: undefined })}>
            {t('vehicle.nextDay')}
          </button>
          <span className="quiet">{zone}</span>
        </div>
        <ReadingProblem query={trips} />
        <DayBar from={from} to={to} trips={routes} selected={trip?.id} />
        {trips.data !== undefined && (
          <Trips trips={routes} selected={trip?.id} onSelect={(id) => go({ trip: id === trip?.id ? undefined : id })} />
        )}
      </section>
      <Replay targa={targa} from={shown.from} to={shown.to} />
      <Downloads targa={targa} from={shown.from} to={shown.to} />
      <Pairings targa={targa} />
    </div>
  );
}

function Pairings({ targa }: { targa: string }) {
  const { t, time } = useSession();
  const pairings = useQuery({
    queryKey: ['pairings', targa],
    queryFn: () => answerOf(api.GET('/v1/pairings', { params: { query: { targa, limit: 50 } } })),
  });
  const names = useDrivers();
  return (
    <section>
      <h2>{t('vehicle.pairings')}</h2>
      <ReadingProblem query={pairings} />
      <Table head={[t('vehicle.device'), t('vehicle.driver'), t('vehicle.pairedFrom'), t('vehicle.pairedTo')]}>
        {pairings.data?.items.map(({ id, imei, driverId, from, to }) => (
          <tr key={id}>
            <td>{imei ?? t('vehicle.none')}</td>
            <td>{driverId === null ? t('vehicle.none') : (names.get(driverId) ?? driverId)}</td>
            <td>{time(from)}</td>
            <td>{to === null ? t('vehicle.now') : time(to)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
