import type { TrackFormat } from './writer.ts';

/** GeoJSON (RFC 7946): a feature collection with one point a fix, its facts as properties. */
export const geojson: TrackFormat = {
  mediaType: 'application/geo+json',
  extension: 'geojson',
  writer() {
    let separator = '';
    let segment = 0;
    return {
      head: (name) => `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[\n`,
      point({ time, latitude, longitude, speed, course, ignition }) {
        const properties = { time, segment, speed, course, ignition };
        const geometry = { type: 'Point', coordinates: [longitude, latitude] };
        const text = `${separator}${JSON.stringify({ type: 'Feature', geometry, properties })}`;
        separator = ',\n';
        return text;
      },
      breakHere() {
        segment++;
        return '';
      },
      tail: () => '\n]}\n',
    };
  },
};
