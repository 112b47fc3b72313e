import type { FeatureCollection, Position } from 'geojson';
import {
  type GeoJSONSource,
  LngLatBounds,
  Map as MapLibre,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url';
import 'maplibre-gl/dist/maplibre-gl.css';
import type { Vehicle } from '../api.ts';
import { addIcons, iconOf } from './icons.ts';
import { placeOf } from './place.ts';
import { type MapTheme, styleOf } from './style.ts';
import { loadWorld } from './world.ts';

setWorkerUrl(workerUrl);

const CLOSE_ZOOM = 13;

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

/** The map with what lies on it. Updates move neither the map nor the selection. */
export class FleetMap {
  readonly #map: MapLibre;
  readonly #ready: Promise<void>;
  #isFitted = false;

  constructor(container: HTMLElement, theme: MapTheme, onSelect: (targa: string) => void) {
    const map = new MapLibre({
      container,
      style: styleOf(theme),
      center: [12, 45],
      zoom: 3,
      // labels would fade in again with every update
      fadeDuration: 0,
      attributionControl: { compact: true },
    });
    this.#map = map;
    map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
    map.addControl(new ScaleControl(), 'bottom-left');
    this.#ready = new Promise((resolve) => map.once('load', () => resolve()));
    void this.#ready.then(async () => {
      addIcons(map);
      map.on('click', 'vehicles', (event) => {
        const targa = event.features?.[0]?.properties['targa'];
        if (typeof targa === 'string') onSelect(targa);
      });
      map.on('click', 'clusters', (event) => void this.#openCluster(event.point));
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

  async #openCluster(point: { x: number; y: number }): Promise<void> {
    const [cluster] = this.#map.queryRenderedFeatures([point.x, point.y], { layers: ['clusters'] });
    if (cluster?.geometry.type !== 'Point') return;
    const source = this.#map.getSource<GeoJSONSource>('vehicles')!;
    const zoom = await source.getClusterExpansionZoom(Number(cluster.properties['cluster_id']));
    this.#map.easeTo({ center: cluster.geometry.coordinates as [number, number], zoom });
  }

  #set(source: string, data: FeatureCollection): void {
    void this.#map.getSource<GeoJSONSource>(source)?.setData(data);
  }

  async showVehicles(vehicles: readonly Vehicle[], selected: Vehicle | undefined): Promise<void> {
    await this.#ready;
    const shown = vehicles.flatMap((vehicle) => {
      const at = placeOf(vehicle);
      const { targa, status } = vehicle;
      const course = status === 'moving' ? (vehicle.lastPosition?.course ?? 0) : 0;
      return at === undefined ? [] : [{ at, properties: { targa, status, icon: iconOf(status), course } }];
    });
    this.#set('vehicles', points(shown));
    const at = placeOf(selected);
    this.#set('selected', points(at === undefined ? [] : [{ at, properties: {} }]));
    if (!this.#isFitted && shown.length > 0) {
      this.#isFitted = true;
      if (at === undefined) this.#fit(shown.map((each) => each.at));
      else this.#map.jumpTo({ center: at, zoom: CLOSE_ZOOM });
    }
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
    this.#map.remove();
  }
}
