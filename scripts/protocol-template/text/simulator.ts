import { type SentenceProtocol, utcToDigits } from '#codec/text';

// TODO simulator: the device's side, from the vendor's document.
export const simulator: SentenceProtocol['simulator'] = {
  report: ({ time, latitude, longitude, speed, course, ignition }, id) =>
    `${id},P,${utcToDigits(time)},A,${latitude.toFixed(6)},${longitude.toFixed(6)},0,${speed},${course},1=${ignition ? 1 : 0}`,
  heartbeat: (id) => `${id},H`,
  answer: (id, outcome) => `${id},R,${outcome === 'done' ? 1 : 0},done`,
  read: (text) => (text.startsWith('ACK') ? 'acknowledged' : text === 'NAK' ? 'refused' : 'command'),
};
