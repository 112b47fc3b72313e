import type { TrackFormat } from './writer.ts';

/**
 * GeoJSON (RFC 7946): a feature collection with a point for each fix, its values as properties, and behind the points of
 * each segment its line, with the time of each coordinate in `coordTimes`.
 */
export const geojson: TrackFormat = {
  mediaType: 'application/geo+json',
  extension: 'geojson',
  writer() {
    let separator = '';
    let segment = 0;
    let coordinates: string[] = [];
    let times: string[] = [];
    const feature = (geometry: string, properties: object): string => {
      const text = `${separator}{"type":"Feature","geometry":${geometry},"properties":${JSON.stringify(properties)}}`;
      separator = ',\n';
      return text;
    };
    const line = (): string => {
      const isLine = coordinates.length > 1;
      const geometry = `{"type":"LineString","coordinates":[${coordinates.join()}]}`;
      const text = isLine ? feature(geometry, { segment, coordTimes: times }) : '';
      coordinates = [];
      times = [];
      return text;
    };
    return {
      head: (name) => `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[\n`,
      point({ time, latitude, longitude, speed, course, ignition, altitude }) {
        const position = JSON.stringify([longitude, latitude, ...(altitude === undefined ? [] : [altitude])]);
        coordinates.push(position);
        times.push(time);
        return feature(`{"type":"Point","coordinates":${position}}`, { time, segment, speed, course, ignition });
      },
      breakHere() {
        const text = line();
        segment++;
        return text;
      },
      tail: () => `${line()}\n]}\n`,
    };
  },
};
