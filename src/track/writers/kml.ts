import { type TrackFormat, xml } from './writer.ts';

/** KML 2.2 (OGC 07-147r2): a LineString between gaps. */
export const kml: TrackFormat = {
  mediaType: 'application/vnd.google-earth.kml+xml',
  extension: 'kml',
  writer: () => ({
    head: (name) =>
      '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
      `<name>${xml(name)}</name><Placemark><name>${xml(name)}</name><MultiGeometry>\n` +
      '<LineString><tessellate>1</tessellate><coordinates>\n',
    point: ({ latitude, longitude }) => `${longitude},${latitude}\n`,
    breakHere: () => '</coordinates></LineString>\n<LineString><tessellate>1</tessellate><coordinates>\n',
    tail: () => '</coordinates></LineString>\n</MultiGeometry></Placemark></Document></kml>\n',
  }),
};
