import { fromLatin1, readUntil, type Simulator, toLatin1 } from '#codec';
import { utcToDigits } from '#codec/text';
import { sentence } from './frame.ts';

const LF = 0x0a;

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  fixesPerReport: 1,
  acknowledges: true,
  report([fix], deviceId) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = `A,${latitude.toFixed(6)},${longitude.toFixed(6)},0,${speed},${course}`;
    return fromLatin1(sentence(`${deviceId},P,${utcToDigits(time)},${place},1=${ignition ? 1 : 0}`));
  },
  heartbeat: (deviceId) => fromLatin1(sentence(`${deviceId},H`)),
  read: readUntil(LF, (frame) => {
    const [, kind, text = ''] = toLatin1(frame).split(/[,*]/);
    if (kind === 'ACK') return { type: 'acknowledged', reports: 1 };
    return kind === 'NAK' ? { type: 'refused' } : { type: 'command', text, frame };
  }),
  answer: (_, outcome, deviceId) => fromLatin1(sentence(`${deviceId},R,${outcome === 'done' ? 1 : 0},done`)),
};
