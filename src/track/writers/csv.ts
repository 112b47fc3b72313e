import type { TrackFormat } from './writer.ts';

/** CSV (RFC 4180) with a header. `segment` counts what gaps part. */
export const csv: TrackFormat = {
  mediaType: 'text/csv; charset=utf-8',
  extension: 'csv',
  writer() {
    let segment = 0;
    return {
      head: () => 'time,latitude,longitude,speed,course,ignition,segment\r\n',
      point: ({ time, latitude, longitude, speed, course, ignition }) =>
        `${time},${latitude},${longitude},${speed ?? ''},${course ?? ''},${ignition ?? ''},${segment}\r\n`,
      breakHere() {
        segment++;
        return '';
      },
      tail: () => '',
    };
  },
};
