import { type TrackFormat, type TrackPoint, xml } from './writer.ts';

/** Points of one `gx:Track`: its times stand before its coordinates, so they are held until it ends. */
const MAX_POINTS = 1_000;

/**
 * KML 2.2 (OGC 07-147r2) with Google's extension for time: a `gx:Track` between gaps, so that viewers can replay it. A
 * long one continues in the next, which begins at the same point.
 */
export const kml: TrackFormat = {
  mediaType: 'application/vnd.google-earth.kml+xml',
  extension: 'kml',
  writer() {
    let points: TrackPoint[] = [];
    const track = (): string => {
      const hasAltitude = points.some(({ altitude }) => altitude !== undefined);
      const mode = hasAltitude ? 'absolute' : 'clampToGround';
      const whens = points.map(({ time }) => `<when>${time}</when>\n`).join('');
      const coordinates = points
        .map(({ latitude, longitude, altitude }) => `<gx:coord>${longitude} ${latitude} ${altitude ?? 0}</gx:coord>\n`)
        .join('');
      const text =
        points.length === 0
          ? ''
          : `<gx:Track><altitudeMode>${mode}</altitudeMode>\n${whens}${coordinates}</gx:Track>\n`;
      points = [];
      return text;
    };
    return {
      head: (name) =>
        '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" ' +
        'xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>' +
        `<name>${xml(name)}</name><Placemark><name>${xml(name)}</name><gx:MultiTrack>\n`,
      point(point) {
        points.push(point);
        if (points.length < MAX_POINTS) return '';
        const text = track();
        points.push(point);
        return text;
      },
      breakHere: track,
      tail: () => `${track()}</gx:MultiTrack></Placemark></Document></kml>\n`,
    };
  },
};
