import type { TrackFormat } from './writer.ts';

/** CSV (RFC 4180) with a header. `segment` counts the parts between gaps. */
export const csv: TrackFormat = {
  mediaType: 'text/csv; charset=utf-8',
  extension: 'csv',
  writer() {
    let segment = 0;
    return {
      head: () => 'time,latitude,longitude,speed,course,ignition,segment,altitude\r\n',
      point: ({ time, latitude, longitude, speed, course, ignition, altitude }) =>
        `${[time, latitude, longitude, speed, course, ignition, segment, altitude].map((cell) => cell ?? '').join()}\r\n`,
      breakHere() {
        segment++;
        return '';
      },
      tail: () => '',
    };
  },
};
