import type { FeatureCollection, Geometry, Position } from 'geojson';
import { feature } from 'topojson-client';
import worldUrl from 'world-atlas/countries-50m.json?url';

/** Natural Earth rings may cross 180°: made continuous, and closed along the pole where they go around it. */
export function unwrapRing(ring: readonly Position[]): Position[] {
  let offset = 0;
  let previous = ring[0]?.[0] ?? 0;
  const whole = ring.map(([longitude = 0, latitude = 0]): Position => {
    if (longitude - previous > 180) offset -= 360;
    if (longitude - previous < -180) offset += 360;
    previous = longitude;
    return [longitude + offset, latitude];
  });
  const [first, last] = [whole[0], whole.at(-1)];
  if (first === undefined || last === undefined || Math.abs(last[0]! - first[0]!) < 180) return whole;
  const pole = (first[1] ?? 0) < 0 ? -85.06 : 85.06;
  return [...whole, [last[0]!, pole], [first[0]!, pole], first];
}

function unwrap(geometry: Geometry): Geometry {
  if (geometry.type === 'Polygon') return { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) };
  if (geometry.type !== 'MultiPolygon') return geometry;
  return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(unwrapRing)) };
}

/** Countries of the base map that needs no other server. Natural Earth, public domain. */
export async function loadWorld(): Promise<FeatureCollection> {
  const topology = await (await fetch(worldUrl)).json();
  const countries = feature(topology, topology.objects.countries) as unknown as FeatureCollection;
  const features = countries.features.map((each) => ({ ...each, geometry: unwrap(each.geometry) }));
  return { ...countries, features };
}
