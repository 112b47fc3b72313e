import { fromLatin1, type Simulator } from '#codec';
import { httpRequest, readHttpReply } from '#codec/http';

const post = (message: object): Uint8Array =>
  httpRequest('POST', '/pub', { 'content-type': 'application/json' }, fromLatin1(JSON.stringify(message)));

/** qtripp, which sends speed and course where they are zero too. */
export const simulator: Simulator = {
  report([fix], topic) {
    const { time, latitude, longitude, speed, course } = fix!;
    const place = { lat: Number(latitude.toFixed(6)), lon: Number(longitude.toFixed(6)) };
    const movement = { vel: Math.round(speed), cog: Math.round(course) };
    return post({
      _type: 'location',
      topic,
      tid: topic.slice(-2),
      tst: time / 1_000,
      ...place,
      ...movement,
      acc: 5,
      batt: 80,
    });
  },
  heartbeat: (topic) => post({ _type: 'lwt', topic, tst: 1_700_000_000 }),
  read: readHttpReply,
};
