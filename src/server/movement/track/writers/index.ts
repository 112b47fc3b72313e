import { csv } from './csv.ts';
import { geojson } from './geojson.ts';
import { gpx } from './gpx.ts';
import { kml } from './kml.ts';
import type { TrackFormat } from './writer.ts';

export type { TrackFormat, TrackPoint, TrackWriter } from './writer.ts';

export const FORMATS = ['gpx', 'kml', 'geojson', 'csv'] as const;
export const trackFormats: Readonly<Record<(typeof FORMATS)[number], TrackFormat>> = { gpx, kml, geojson, csv };
