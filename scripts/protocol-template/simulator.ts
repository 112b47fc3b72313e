import { digitsOfUtc, fromLatin1, type Simulator, toLatin1 } from '#codec';
import { sentence } from './frame.ts';

const LF = 0x0a;

// TODO simulator: the device's side, from the vendor's document.
export const simulator: Simulator = {
  fixesPerReport: 1,
  acknowledges: true,
  report([fix], deviceId) {
    const { time, latitude, longitude, speed, course, ignition } = fix!;
    const place = `A,${latitude.toFixed(6)},${longitude.toFixed(6)},0,${speed},${course}`;
    return fromLatin1(sentence(`${deviceId},P,${digitsOfUtc(time)},${place},1=${ignition ? 1 : 0}`));
  },
  heartbeat: (deviceId) => fromLatin1(sentence(`${deviceId},H`)),
  read(buffer) {
    const end = buffer.indexOf(LF) + 1;
    if (end === 0) return undefined;
    const [, kind, text = ''] = toLatin1(buffer, 0, end).split(/[,*]/);
    if (kind === 'ACK') return { bytes: end, says: { type: 'acknowledged', reports: 1 } };
    if (kind === 'NAK') return { bytes: end, says: { type: 'refused' } };
    return { bytes: end, says: { type: 'command', text, frame: buffer.slice(0, end) } };
  },
  answer: (_, outcome, deviceId) => fromLatin1(sentence(`${deviceId},R,${outcome === 'done' ? 1 : 0},done`)),
};
