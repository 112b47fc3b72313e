import { type TrackFormat, xml } from './writer.ts';

/** GPX 1.1 (topografix.com/GPX/1/1) with altitude as `ele`, and speed in Garmin's TrackPointExtension v2, in m/s. */
export const gpx: TrackFormat = {
  mediaType: 'application/gpx+xml',
  extension: 'gpx',
  writer: () => ({
    head: (name) =>
      '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="Fleetgate" ' +
      'xmlns="http://www.topografix.com/GPX/1/1" ' +
      'xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">\n' +
      `<trk><name>${xml(name)}</name><trkseg>\n`,
    point: ({ time, latitude, longitude, speed, course, altitude }) =>
      `<trkpt lat="${latitude}" lon="${longitude}">${altitude === undefined ? '' : `<ele>${altitude}</ele>`}<time>${time}</time>${extensions(speed, course)}</trkpt>\n`,
    breakHere: () => '</trkseg><trkseg>\n',
    tail: () => '</trkseg></trk>\n</gpx>\n',
  }),
};

function extensions(speed: number | undefined, course: number | undefined): string {
  const inner =
    (speed === undefined ? '' : `<gpxtpx:speed>${Math.round((speed / 3.6) * 1000) / 1000}</gpxtpx:speed>`) +
    (course === undefined ? '' : `<gpxtpx:course>${course}</gpxtpx:course>`);
  if (inner === '') return '';
  return `<extensions><gpxtpx:TrackPointExtension>${inner}</gpxtpx:TrackPointExtension></extensions>`;
}
