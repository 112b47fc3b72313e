import { fromLatin1, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const utc = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const field = (name: string, value: number): object => ({
  Name: name,
  Value: String(Math.round(value)),
  Type: 'signedint',
});

/** A page of the service with one message, as terminals send one now and then. */
export const simulator: Simulator = {
  report(fixes, id, serial) {
    const messages = fixes.map(({ time, latitude, longitude, speed, course }, n) => ({
      ID: serial + n,
      MessageUTC: utc(time + 5_000),
      MobileID: id,
      Payload: {
        Name: 'simpleReport',
        SIN: 126,
        MIN: 1,
        Fields: [
          field('eventTime', time / 1_000),
          field('latitude', latitude * 60_000),
          field('longitude', longitude * 60_000),
          field('speed', speed),
          field('heading', course),
        ],
      },
    }));
    const page = { ErrorID: 0, More: false, NextStartUTC: utc(fixes.at(-1)!.time + 6_000), Messages: messages };
    return httpRequest('POST', '/', { 'content-type': 'application/json' }, fromLatin1(JSON.stringify(page)));
  },
  read: readHttpReply,
};
