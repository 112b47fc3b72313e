import { useEffect, useRef, useState } from 'react';
import { placeOf } from '../../map/place.ts';
import { useMap } from '../../map/use-map.ts';
import { useFleet, useSession } from '../../session.tsx';
import { type Area, corridorOf, ringOf } from './area.ts';

export type { Area } from './area.ts';

type Corner = [longitude: number, latitude: number];
const MODES = ['polygon', 'circle', 'corridor'] as const;
type Mode = (typeof MODES)[number] | undefined;

const DEFAULT_RADIUS_M = 200;
const DEFAULT_WIDTH_M = 200;
const SOMEWHERE: Corner = [12.5, 41.9];
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

const corridorIn = (area: Area | undefined) => (area?.type === 'polygon' ? area.corridor : undefined);

/** Places of the line of a corridor; corners of a polygon without the last one, which repeats the first. */
const cornersOf = (area: Area | undefined): readonly Corner[] =>
  corridorIn(area)?.line ?? (area?.type === 'polygon' ? area.coordinates.slice(0, -1) : []);

interface AreaEditorProps {
  /** as it is at first */
  readonly area: Area | undefined;
  readonly title: string;
  readonly onArea: (area: Area | undefined) => void;
}

/** Draws an area on the map, or takes its numbers from the keyboard. */
export function AreaEditor({ area, title, onArea }: AreaEditorProps) {
  const { t, may } = useSession();
  const { vehicles } = useFleet();
  const { container, map, isUnavailable } = useMap(() => {});
  const [mode, setMode] = useState<Mode>(corridorIn(area) === undefined ? area?.type : 'corridor');
  const [corners, setCorners] = useState<readonly Corner[]>(() => cornersOf(area));
  const [center, setCenter] = useState<Corner | undefined>(area?.type === 'circle' ? area.center : undefined);
  const [radiusM, setRadius] = useState(area?.type === 'circle' ? area.radiusM : DEFAULT_RADIUS_M);
  const [widthM, setWidth] = useState(corridorIn(area)?.widthM ?? DEFAULT_WIDTH_M);
  const isFitted = useRef(false);
  const corridor = mode === 'corridor' ? corridorOf(corners, widthM) : undefined;

  const drawCorridor = (next: readonly Corner[], width: number): void => {
    setCorners(next);
    setWidth(width);
    onArea(corridorOf(next, width) ?? undefined);
  };
  const drawPolygon = (next: readonly Corner[]): void => {
    setCorners(next);
    onArea(next.length < 3 ? undefined : { type: 'polygon', coordinates: [...next, next[0]!] });
  };
  const drawCircle = (next: Corner | undefined, radius: number): void => {
    setCenter(next);
    setRadius(radius);
    onArea(next === undefined ? undefined : { type: 'circle', center: next, radiusM: radius });
  };
  const drawCorners = (next: readonly Corner[]): void =>
    mode === 'corridor' ? drawCorridor(next, widthM) : drawPolygon(next);
  const click = useRef<(at: Corner) => void>(() => {});
  click.current = (at) => {
    if (mode === 'polygon' || mode === 'corridor') drawCorners([...corners, at]);
    if (mode === 'circle') drawCircle(at, radiusM);
  };
  useEffect(() => map?.onClick(([x, y]) => click.current([rounded(x!), rounded(y!)])), [map]);
  useEffect(() => {
    if (may('positions:read')) void map?.showVehicles(vehicles, undefined);
  }, [map, vehicles, may]);
  useEffect(() => {
    const ring = mode === 'circle' ? (center === undefined ? [] : ringOf(center, radiusM)) : [...corners];
    if (mode === 'corridor') void map?.showCorridor(corners, corridorOf(corners, widthM)?.coordinates);
    else void map?.showArea(ring);
    if (map !== undefined && !isFitted.current && ring.length > 1) {
      isFitted.current = true;
      void map.fit(ring.map(([x, y]) => [x, y]));
    }
  }, [map, mode, corners, center, radiusM, widthM]);
  const choose = (next: Mode): void => {
    setMode(next);
    if (next === 'polygon') drawPolygon(corners);
    else if (next === 'corridor') drawCorridor(corners, widthM);
    else drawCircle(center, radiusM);
  };
  const clear = (): void => {
    setCorners([]);
    setCenter(undefined);
    onArea(undefined);
  };
  return (
    <fieldset className="wide">
      <legend>{title}</legend>
      <p className="quiet">{t('draw.help')}</p>
      <div className="actions">
        {MODES.map((each) => (
          <button key={each} type="button" aria-pressed={mode === each} onClick={() => choose(each)}>
            {t(`draw.${each}`)}
          </button>
        ))}
        {(mode === 'polygon' || mode === 'corridor') && (
          <button type="button" disabled={corners.length === 0} onClick={() => drawCorners(corners.slice(0, -1))}>
            {t('draw.undo')}
          </button>
        )}
        <button type="button" onClick={clear}>
          {t('draw.clear')}
        </button>
      </div>
      {isUnavailable ? (
        <p>{t('map.unavailable')}</p>
      ) : (
        <div ref={container} className="map draw-map" role="application" aria-label={t('draw.map')} />
      )}
      {mode === 'circle' && (
        <div className="actions">
          <Place label="" at={center ?? firstPlace(vehicles) ?? SOMEWHERE} onAt={(at) => drawCircle(at, radiusM)} />
          <label>
            {t('draw.radius')}
            <input
              type="number"
              min={10}
              max={100_000}
              value={radiusM}
              onChange={({ target }) => drawCircle(center, Math.max(1, Number(target.value)))}
            />
          </label>
        </div>
      )}
      {mode === 'corridor' && (
        <div className="actions">
          <label>
            {t('draw.width')}
            <input
              type="number"
              min={2}
              max={100_000}
              value={widthM}
              onChange={({ target }) => drawCorridor(corners, Math.max(1, Number(target.value)))}
            />
          </label>
        </div>
      )}
      {corridor === null && (
        <p className="problem" role="alert">
          {t('draw.corridorCrosses')}
        </p>
      )}
      {(mode === 'polygon' || mode === 'corridor') && (
        <Corners corners={corners} first={firstPlace(vehicles) ?? SOMEWHERE} onCorners={drawCorners} />
      )}
    </fieldset>
  );
}

const firstPlace = (vehicles: readonly Parameters<typeof placeOf>[0][]): Corner | undefined =>
  vehicles.map(placeOf).find((each) => each !== undefined);

function Place({ label, at, onAt }: { label: string; at: Corner; onAt: (at: Corner) => void }) {
  const { t } = useSession();
  return (
    <>
      <label>
        {t('draw.latitude')}
        <input
          type="number"
          step="any"
          min={-90}
          max={90}
          aria-label={`${label}${t('draw.latitude')}`}
          value={at[1]}
          onChange={({ target }) => onAt([at[0], Number(target.value)])}
        />
      </label>
      <label>
        {t('draw.longitude')}
        <input
          type="number"
          step="any"
          min={-180}
          max={180}
          aria-label={`${label}${t('draw.longitude')}`}
          value={at[0]}
          onChange={({ target }) => onAt([Number(target.value), at[1]])}
        />
      </label>
    </>
  );
}

interface CornersProps {
  readonly corners: readonly Corner[];
  /** where the first one is put by the keyboard */
  readonly first: Corner;
  readonly onCorners: (corners: readonly Corner[]) => void;
}

/** Corners of a polygon, or places of a line, as numbers. */
function Corners({ corners, first, onCorners }: CornersProps) {
  const { t } = useSession();
  return (
    <>
      {corners.map((at, n) => (
        // corners have no other identity than their place in the ring
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={n} className="actions">
          <Place
            label={`${t('draw.corner', { nth: n + 1 })}: `}
            at={at}
            onAt={(next) => onCorners(corners.map((each, m) => (m === n ? next : each)))}
          />
          <button
            type="button"
            aria-label={t('draw.removeCorner', { nth: n + 1 })}
            onClick={() => onCorners(corners.filter((_, m) => m !== n))}
          >
            ×
          </button>
        </div>
      ))}
      <div className="actions">
        <button type="button" onClick={() => onCorners([...corners, corners.at(-1) ?? first])}>
          {t('draw.addCorner')}
        </button>
      </div>
    </>
  );
}
