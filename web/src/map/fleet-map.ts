import type { FeatureCollection, Geometry, Position } from 'geojson';
import {
  type GeoJSONSource,
  type IControl,
  LngLatBounds,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Vehicle } from '../api.ts';
import type { BaseMap } from './base-map.ts';
import { groupsOf, latitudeOf, longitudeOf, xOf, yOf } from './clusters.ts';
import { addIcons, iconOf } from './icons.ts';
import { placeOf } from './place.ts';
import { SteppedMap } from './stepped-map.ts';
import { type MapTheme, styleOf } from './style.ts';
import { loadWorld } from './world.ts';

setWorkerUrl(workerUrl);

const CLOSE_ZOOM = 13;
/** while the map moves */
const REDRAW_MS = 250;
/** of its size, on each side: vehicles just outside of the view are drawn too */
const MARGIN = 0.25;

const points = (
  features: readonly { readonly at: Position; readonly properties: Record<string, unknown> }[],
): FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.map(({ at, properties }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: at },
    properties,
  })),
});

const shortened = (count: number): string => (count < 1_000 ? String(count) : `${Math.round(count / 100) / 10}k`);

/** A text on the map. */
function noticeOf(text: string): IControl {
  const element = document.createElement('p');
  element.className = 'maplibregl-ctrl map-notice';
  element.setAttribute('role', 'status');
  element.textContent = text;
  return { onAdd: () => element, onRemove: () => element.remove() };
}

export interface Look {
  readonly theme: MapTheme;
  /** undefined: countries alone */
  readonly base: BaseMap | undefined;
  readonly attribution: string;
  /** shown on the map, such as why it has no base map */
  readonly notice?: string;
}

/** The map with what lies on it. Updates move neither the map nor the selection. */
export class FleetMap {
  readonly #map: SteppedMap;
  readonly #ready: Promise<void>;
  #isFitted = false;
  #vehicles: readonly Vehicle[] = [];
  /** of the vehicles, in the square of the projection */
  #places = new Float64Array();
  #selectedAt: string | undefined;
  #drawing: number | undefined;

  constructor(container: HTMLElement, { theme, base, attribution, notice }: Look, onSelect: (targa: string) => void) {
    const map = new SteppedMap({
      container,
      style: styleOf(theme, base),
      center: [12, 45],
      zoom: 3,
      // labels would fade in again with every update
      fadeDuration: 0,
      attributionControl: {
        compact: true,
        // as text: it may not be markup here
        ...(attribution !== '' && { customAttribution: attribution.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }),
      },
    });
    this.#map = map;
    // who has moved the map before the vehicles have come keeps the view
    map.on('movestart', ({ originalEvent }) => {
      if (originalEvent !== undefined) this.#isFitted = true;
    });
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    map.addControl(new ScaleControl(), 'bottom-left');
    if (notice !== undefined) map.addControl(noticeOf(notice), 'bottom-left');
    this.#ready = new Promise((resolve) => map.once('load', () => resolve()));
    void this.#ready.then(async () => {
      addIcons(map);
      map.on('click', 'vehicles', (event) => {
        const targa = event.features?.[0]?.properties['targa'];
        if (typeof targa === 'string') onSelect(targa);
      });
      map.on('click', 'clusters', (event) => {
        const cluster = event.features?.[0];
        if (cluster !== undefined) this.#openCluster(cluster.properties);
      });
      map.on('move', () => this.#drawSoon(REDRAW_MS));
      map.on('moveend', () => this.#drawSoon(0));
      for (const layer of ['vehicles', 'clusters']) {
        map.on('mouseenter', layer, () => {
          map.getCanvas().style.cursor = 'pointer';
        });
        map.on('mouseleave', layer, () => {
          map.getCanvas().style.cursor = '';
        });
      }
      this.#set('world', await loadWorld());
      // for tests and screenshots: the base map has been drawn
      const drawn = (): void => {
        if (!map.isSourceLoaded('world')) return;
        container.dataset['ready'] = 'true';
        map.off('render', drawn);
      };
      map.on('render', drawn);
      map.triggerRepaint();
    });
  }

  #openCluster({ west, north, east, south }: Record<string, unknown>): void {
    const corners = [
      [longitudeOf(Number(west)), latitudeOf(Number(south))],
      [longitudeOf(Number(east)), latitudeOf(Number(north))],
    ] as const;
    const camera = this.#map.cameraForBounds([[...corners[0]], [...corners[1]]], { padding: 60, maxZoom: CLOSE_ZOOM });
    if (camera !== undefined) this.#map.easeTo(camera);
  }

  #set(source: string, data: FeatureCollection): void {
    void this.#map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  /**
   * Only what lies in the view is given to the map, vehicles that are close to each other as one: it copies its data
   * to a worker, which takes long for 10,000 vehicles.
   */
  async showVehicles(vehicles: readonly Vehicle[], selected: Vehicle | undefined): Promise<void> {
    await this.#ready;
    this.#vehicles = vehicles;
    const places = new Float64Array(vehicles.length * 2).fill(Number.NaN);
    let hasPlaces = false;
    for (const [n, vehicle] of vehicles.entries()) {
      const { latitude, longitude } = vehicle.lastPosition ?? {};
      if (latitude === undefined || longitude === undefined) continue;
      hasPlaces = true;
      places[n * 2] = xOf(longitude);
      places[n * 2 + 1] = yOf(latitude);
    }
    this.#places = places;
    const at = placeOf(selected);
    if (this.#selectedAt !== at?.join()) {
      this.#selectedAt = at?.join();
      this.#set('selected', points(at === undefined ? [] : [{ at, properties: {} }]));
    }
    if (!this.#isFitted && hasPlaces) {
      this.#isFitted = true;
      const all = (): Position[] =>
        vehicles.flatMap((each): Position[] => {
          const found = placeOf(each);
          return found === undefined ? [] : [found];
        });
      if (at === undefined) this.#fit(all());
      else this.#map.jumpTo({ center: at, zoom: CLOSE_ZOOM });
    }
    this.#drawSoon(0);
  }

  /** In a task of its own: the page has drawn its list before. */
  #drawSoon(afterMs: number): void {
    if (afterMs === 0) window.clearTimeout(this.#drawing);
    else if (this.#drawing !== undefined) return;
    this.#drawing = window.setTimeout(() => this.#drawVehicles(), afterMs);
  }

  #drawVehicles(): void {
    this.#drawing = undefined;
    const bounds = this.#map.getBounds();
    const [west, east, north, south] = [
      xOf(bounds.getWest()),
      xOf(bounds.getEast()),
      yOf(bounds.getNorth()),
      yOf(bounds.getSouth()),
    ];
    const [x, y] = [(east - west) * MARGIN, (south - north) * MARGIN];
    const view = { west: west - x, east: east + x, north: north - y, south: south + y };
    const groups = groupsOf(this.#places, view, this.#map.getZoom());
    const shown = groups.map(({ x: atX, y: atY, count, first, extent }) => {
      const at = [longitudeOf(atX), latitudeOf(atY)];
      if (count > 1) return { at, properties: { ...extent, point_count: count, text: shortened(count) } };
      const { targa, status, lastPosition } = this.#vehicles[first]!;
      const course = status === 'moving' ? (lastPosition?.course ?? 0) : 0;
      return { at, properties: { targa, status, icon: iconOf(status), course } };
    });
    this.#set('vehicles', points(shown));
  }

  async showTrack(path: readonly Position[], replay: { at: Position; course: number } | undefined): Promise<void> {
    await this.#ready;
    const line: FeatureCollection = {
      type: 'FeatureCollection',
      features:
        path.length < 2
          ? []
          : [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates: [...path] } }],
    };
    this.#set('track', line);
    this.showReplay(replay);
    if (path.length > 0) this.#fit(path);
  }

  showReplay(replay: { at: Position; course: number } | undefined): void {
    this.#set('replay', points(replay === undefined ? [] : [{ at: replay.at, properties: { course: replay.course } }]));
  }

  async center(at: [number, number], close = false): Promise<void> {
    await this.#ready;
    const zoom = close ? Math.max(this.#map.getZoom(), CLOSE_ZOOM) : this.#map.getZoom();
    this.#map.easeTo({ center: at, zoom, duration: 500 });
  }

  async fit(path: readonly Position[]): Promise<void> {
    await this.#ready;
    this.#fit(path);
  }

  #fit(path: readonly Position[]): void {
    const bounds = new LngLatBounds();
    for (const [longitude, latitude] of path) bounds.extend([longitude!, latitude!]);
    if (!bounds.isEmpty()) this.#map.fitBounds(bounds, { padding: 60, maxZoom: CLOSE_ZOOM, duration: 0 });
  }

  /** A ring, the last corner of which is joined with the first, and its corners. */
  async showArea(ring: readonly Position[]): Promise<void> {
    await this.#ready;
    const closed = [...ring, ...ring.slice(0, 1)];
    const isSurface = ring.length > 2;
    const shape: FeatureCollection = {
      type: 'FeatureCollection',
      features:
        ring.length < 2
          ? []
          : [
              {
                type: 'Feature',
                properties: {},
                geometry: isSurface
                  ? { type: 'Polygon', coordinates: [closed] }
                  : { type: 'LineString', coordinates: closed },
              },
            ],
    };
    this.#set('area', shape);
    this.#set('places', points(ring.length > 20 ? [] : ring.map((at) => ({ at, properties: {} }))));
  }

  /** The line of a corridor with its places, and the area around it where there is one. */
  async showCorridor(line: readonly Position[], ring: readonly Position[] | undefined): Promise<void> {
    await this.#ready;
    const shapes: Geometry[] = ring === undefined ? [] : [{ type: 'Polygon', coordinates: [[...ring]] }];
    if (line.length > 1) shapes.push({ type: 'LineString', coordinates: [...line] });
    this.#set('area', {
      type: 'FeatureCollection',
      features: shapes.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
    });
    this.#set('places', points(line.map((at) => ({ at, properties: {} }))));
  }

  async showPlaces(places: readonly Position[]): Promise<void> {
    await this.#ready;
    this.#set('places', points(places.map((at) => ({ at, properties: {} }))));
  }

  /** Returns how to end it. */
  onClick(take: (at: Position) => void): () => void {
    const clicked = ({ lngLat }: { lngLat: { lng: number; lat: number } }): void => take([lngLat.lng, lngLat.lat]);
    this.#map.on('click', clicked);
    return () => void this.#map.off('click', clicked);
  }

  remove(): void {
    window.clearTimeout(this.#drawing);
    this.#map.remove();
  }
}
