import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { answerOf, api, type Vehicle } from '../api.ts';
import { VEHICLE_STATUSES } from '../lists.ts';
import { placeOf } from '../map/place.ts';
import { useMap } from '../map/use-map.ts';
import { Choice, Filters, SearchField } from '../parts/filters.tsx';
import { reload } from '../parts/live.ts';
import { useNow } from '../parts/now.ts';
import { Problem } from '../parts/problem.tsx';
import { VehicleStatus } from '../parts/status.tsx';
import { useFleet, useSession } from '../session.tsx';

const ROW_PX = 58;
const MOST_ALARMS = 500;
const route = getRouteApi('/map');
type Filter = ReturnType<typeof route.useSearch>;

function matches(vehicle: Vehicle, { q, status, group, alarms }: Filter, alarmed: ReadonlySet<string>): boolean {
  if (alarms !== undefined && !alarmed.has(vehicle.targa)) return false;
  if (status !== undefined && vehicle.status !== status) return false;
  if (group !== undefined && vehicle.group !== group) return false;
  if (q === undefined) return true;
  const { targa, imei, driver } = vehicle;
  const wanted = q.toLowerCase();
  return [targa, imei, driver?.name].some((text) => text?.toLowerCase().includes(wanted));
}

/** Plates of vehicles with alarms that nobody has acknowledged, among the newest of the user. */
function useAlarmed(isEnabled: boolean): ReadonlySet<string> {
  const { fleet } = useSession();
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['alarms', 'vehicles'],
    queryFn: async () => {
      const { items } = await answerOf(api.GET('/v1/app/alert', { params: { query: { limit: MOST_ALARMS } } }));
      return new Set(items.flatMap(({ ack, targa }) => (ack || targa === undefined ? [] : [targa])));
    },
    enabled: isEnabled,
  });
  useEffect(
    () =>
      fleet.onEvent(({ type }) => {
        if (isEnabled && (type === 'notification' || type === 'gap')) void reload(queries, ['alarms', 'vehicles']);
      }),
    [fleet, queries, isEnabled],
  );
  return data ?? NO_VEHICLES;
}
const NO_VEHICLES: ReadonlySet<string> = new Set();

export function MapPage() {
  const { t } = useSession();
  const { vehicles, loaded, problem } = useFleet();
  const { fleet } = useSession();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/map' });
  const change = (more: Filter): void => void navigate({ search: (before) => ({ ...before, ...more }), replace: true });
  const { container, map, isUnavailable } = useMap((vehicle) => change({ vehicle }));
  const alarmed = useAlarmed(search.alarms !== undefined);
  const shown = useMemo(() => vehicles.filter((each) => matches(each, search, alarmed)), [vehicles, search, alarmed]);
  const selected = vehicles.find(({ targa }) => targa === search.vehicle);
  const place = placeOf(selected);
  const isFollowed = search.follow === '1';

  useEffect(() => void map?.showVehicles(shown, selected), [map, shown, selected]);
  useEffect(() => {
    if (isFollowed && place !== undefined) void map?.center(place);
    // the place is a new array each time; its numbers decide
  }, [map, isFollowed, place?.[0], place?.[1]]);

  const select = (vehicle: Vehicle): void => {
    change({ vehicle: vehicle.targa });
    const at = placeOf(vehicle);
    if (at !== undefined) void map?.center(at, true);
  };
  return (
    <div className="map-page">
      <section className="list" aria-label={t('map.list')}>
        <h1 className="unseen">{t('nav.map')}</h1>
        <VehicleFilters search={search} change={change} vehicles={vehicles} />
        <p className="quiet" role="status">
          {loaded ? t('map.count', { shown: shown.length, all: vehicles.length }) : t('loading')}
        </p>
        {problem !== undefined && <Problem error={problem} retry={() => void fleet.load()} />}
        {loaded && shown.length === 0 && <p>{t(vehicles.length === 0 ? 'map.empty' : 'map.none')}</p>}
        <VehicleList vehicles={shown} selected={selected} onSelect={select} />
      </section>
      <div className="map-area">
        <section ref={container} className="map" aria-label={t('map.canvas')} />
        {isUnavailable && <p className="problem">{t('map.unavailable')}</p>}
        <button
          type="button"
          className="fit"
          onClick={() => void map?.fit(shown.flatMap((each) => (placeOf(each) ? [placeOf(each)!] : [])))}
        >
          {t('map.fit')}
        </button>
        {selected && (
          <Details
            vehicle={selected}
            isFollowed={isFollowed}
            onFollow={(follow) => change({ follow: follow ? '1' : undefined })}
            onClose={() => change({ vehicle: undefined, follow: undefined })}
          />
        )}
      </div>
    </div>
  );
}

function VehicleFilters({
  search,
  change,
  vehicles,
}: {
  search: Filter;
  change: (f: Filter) => void;
  vehicles: readonly Vehicle[];
}) {
  const { t, may } = useSession();
  const groups = useMemo(() => [...new Set(vehicles.flatMap(({ group }) => group ?? []))].sort(), [vehicles]);
  return (
    <Filters>
      <SearchField label={t('map.search')} value={search.q} onChange={(q) => change({ q })} />
      <Choice
        label={t('map.status')}
        values={VEHICLE_STATUSES}
        value={search.status}
        text={(each) => t(`status.${each}`)}
        onChange={(status) => change({ status })}
      />
      {may('app') && (
        <Choice
          label={t('map.alarms')}
          values={['open'] as const}
          value={search.alarms}
          text={() => t('map.withAlarms')}
          onChange={(alarms) => change({ alarms })}
        />
      )}
      {groups.length > 0 && (
        <Choice label={t('map.group')} values={groups} value={search.group} onChange={(group) => change({ group })} />
      )}
    </Filters>
  );
}

function nextRow(key: string, current: number, page: number, last: number): number | undefined {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[key];
  return by === undefined ? undefined : Math.max(0, Math.min(last, current + by));
}

interface ListProps {
  readonly vehicles: readonly Vehicle[];
  readonly selected: Vehicle | undefined;
  readonly onSelect: (vehicle: Vehicle) => void;
}

function VehicleList({ vehicles, selected, onSelect }: ListProps) {
  const { age, t } = useSession();
  const now = useNow();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  // one row is a tab stop, arrows move it: the map behind the list is not thousands of tab stops away
  const [stop, setStop] = useState<number>();
  const isMoved = useRef(false);
  const chosen = vehicles.findIndex(({ targa }) => targa === selected?.targa);
  const current = Math.min(stop ?? Math.max(0, chosen), vehicles.length - 1);
  const rows = useVirtualizer({
    count: vehicles.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(current < 0 ? [] : [current])])].sort((a, b) => a - b),
  });
  useEffect(() => {
    if (isMoved.current) list.current?.querySelector<HTMLElement>(`[data-row="${current}"]`)?.focus();
    isMoved.current = false;
  }, [current]);
  const move = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const last = vehicles.length - 1;
    const next = nextRow(event.key, current, page, last);
    if (next === undefined) return;
    event.preventDefault();
    isMoved.current = next !== current;
    setStop(next);
    rows.scrollToIndex(next);
  };
  return (
    <div ref={scroller} className="rows">
      <ul ref={list} style={{ height: rows.getTotalSize() }} onKeyDown={move}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const vehicle = vehicles[index]!;
          const { targa, lastPosition, status, driver } = vehicle;
          return (
            <li key={targa} style={{ transform: `translateY(${start}px)`, height: ROW_PX }}>
              <button
                type="button"
                className="row"
                data-row={index}
                tabIndex={index === current ? 0 : -1}
                onFocus={() => setStop(index)}
                aria-pressed={targa === selected?.targa}
                onClick={() => onSelect(vehicle)}
              >
                <span className="row-main">
                  <strong>{targa}</strong>
                  <VehicleStatus status={status} />
                </span>
                <span className="quiet row-main">
                  <span>{driver?.name ?? vehicle.imei ?? t('vehicle.none')}</span>
                  <span>{age(lastPosition?.fixTime ?? lastPosition?.serverTime, now)}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface DetailsProps {
  readonly vehicle: Vehicle;
  readonly isFollowed: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly onClose: () => void;
}

function Details({ vehicle, isFollowed, onFollow, onClose }: DetailsProps) {
  const { t, time, age, number } = useSession();
  const now = useNow();
  const { targa, imei, driver, group, lastPosition, status } = vehicle;
  const at = lastPosition?.fixTime ?? lastPosition?.serverTime;
  return (
    <aside className="details" aria-label={targa}>
      <h2>
        {targa} <VehicleStatus status={status} />
      </h2>
      <dl>
        <dt>{t('vehicle.updated')}</dt>
        <dd>
          {time(at)} {at !== undefined && <span className="quiet">({age(at, now)})</span>}
        </dd>
        <dt>{t('vehicle.speed')}</dt>
        <dd>{lastPosition?.speed === undefined ? t('vehicle.none') : `${number(lastPosition.speed)} km/h`}</dd>
        <dt>{t('vehicle.driver')}</dt>
        <dd>{driver?.name ?? t('vehicle.none')}</dd>
        <dt>{t('vehicle.group')}</dt>
        <dd>{group ?? t('vehicle.none')}</dd>
        <dt>{t('vehicle.device')}</dt>
        <dd>{imei ?? t('vehicle.none')}</dd>
      </dl>
      <div className="actions">
        <Link className="button" to="/vehicles/$targa" params={{ targa }}>
          {t('map.open')}
        </Link>
        <label className="check">
          <input type="checkbox" checked={isFollowed} onChange={(event) => onFollow(event.target.checked)} />
          {t('map.follow')}
        </label>
        <button type="button" onClick={onClose}>
          {t('map.close')}
        </button>
      </div>
    </aside>
  );
}
