import type { FeatureCollection } from 'geojson';
import type { StyleSpecification } from 'maplibre-gl';
import type { BaseMap } from './base-map.ts';

const COLORS = {
  light: { sea: '#cfe0ec', land: '#f4f1ea', border: '#a9a394', ink: '#18202b', halo: '#ffffff', track: '#1459b8' },
  dark: { sea: '#0c141d', land: '#202a35', border: '#47566a', ink: '#e6ebf2', halo: '#11161d', track: '#7db2ff' },
} as const;

export type MapTheme = keyof typeof COLORS;

const STATUS_COLOR = [
  'match',
  ['get', 'status'],
  'moving',
  '#1b8a4b',
  'idle',
  '#b86e00',
  'parked',
  '#1459b8',
  '#6b7686',
] as const;

const nothing: FeatureCollection = { type: 'FeatureCollection', features: [] };
/** the font of the browser: no glyphs are requested */
export const FONT = ['sans-serif'];

/** The countries are seen where the base map has nothing. */
export function styleOf(theme: MapTheme, base: BaseMap | undefined): StyleSpecification {
  const color = COLORS[theme];
  const font = base?.font ?? FONT;
  const label = { 'text-color': color.ink, 'text-halo-color': color.halo, 'text-halo-width': 1.5 };
  return {
    version: 8,
    ...(base?.glyphs !== undefined && { glyphs: base.glyphs }),
    ...(base?.sprite !== undefined && { sprite: base.sprite }),
    sources: {
      ...base?.sources,
      world: { type: 'geojson', data: nothing, attribution: 'Natural Earth' },
      vehicles: { type: 'geojson', data: nothing },
      selected: { type: 'geojson', data: nothing },
      track: { type: 'geojson', data: nothing },
      replay: { type: 'geojson', data: nothing },
      area: { type: 'geojson', data: nothing },
      places: { type: 'geojson', data: nothing },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': color.sea } },
      { id: 'land', type: 'fill', source: 'world', paint: { 'fill-color': color.land } },
      { id: 'borders', type: 'line', source: 'world', paint: { 'line-color': color.border, 'line-width': 0.8 } },
      ...(base?.layers ?? []),
      {
        id: 'track',
        type: 'line',
        source: 'track',
        layout: { 'line-join': 'round', 'line-cap': 'round' },
        paint: { 'line-color': color.track, 'line-width': 4 },
      },
      { id: 'area', type: 'fill', source: 'area', paint: { 'fill-color': color.track, 'fill-opacity': 0.2 } },
      { id: 'area-edge', type: 'line', source: 'area', paint: { 'line-color': color.track, 'line-width': 2 } },
      {
        id: 'places',
        type: 'circle',
        source: 'places',
        paint: {
          'circle-radius': 6,
          'circle-color': '#d2372c',
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 1.5,
        },
      },
      {
        id: 'selected',
        type: 'circle',
        source: 'selected',
        paint: { 'circle-radius': 20, 'circle-color': color.track, 'circle-opacity': 0.3 },
      },
      {
        id: 'clusters',
        type: 'circle',
        source: 'vehicles',
        filter: ['has', 'point_count'],
        paint: {
          'circle-color': color.track,
          'circle-opacity': 0.9,
          'circle-radius': ['step', ['get', 'point_count'], 15, 20, 20, 200, 27],
        },
      },
      {
        id: 'cluster-counts',
        type: 'symbol',
        source: 'vehicles',
        filter: ['has', 'point_count'],
        layout: { 'text-field': ['get', 'text'], 'text-size': 13, 'text-font': font },
        paint: { 'text-color': theme === 'dark' ? '#11161d' : '#ffffff' },
      },
      {
        id: 'vehicles',
        type: 'symbol',
        source: 'vehicles',
        filter: ['!', ['has', 'point_count']],
        layout: {
          'icon-image': ['get', 'icon'],
          'icon-rotate': ['get', 'course'],
          'icon-rotation-alignment': 'map',
          'icon-allow-overlap': true,
          'text-field': ['get', 'targa'],
          'text-size': 12,
          'text-font': font,
          'text-offset': [0, 1.4],
          'text-anchor': 'top',
          'text-optional': true,
        },
        paint: { ...label, 'icon-color': STATUS_COLOR as never },
      },
      {
        id: 'replay',
        type: 'symbol',
        source: 'replay',
        layout: {
          'icon-image': 'vehicle-arrow',
          'icon-rotate': ['get', 'course'],
          'icon-rotation-alignment': 'map',
          'icon-allow-overlap': true,
          'icon-size': 1.3,
        },
        paint: { 'icon-color': '#d2372c' },
      },
    ],
  };
}
