import { asCommand, fromLatin1, readUntil, type SimulatedFix, type Simulator, toLatin1, Writer } from '#codec';
import { utcToDigits } from '#codec/text';

const LF = 0x0a;

function report({ time, latitude, longitude, speed, course }: SimulatedFix, id: string): Uint8Array {
  const place = `${longitude.toFixed(6)},${latitude.toFixed(6)}`;
  return fromLatin1(
    `${id},${utcToDigits(time)},${place},${Math.round(speed)},${Math.round(course)},61,7,2,1,0,0.046,0.000\r\n`,
  );
}

/** The device is named by a number of 32 bits, where its id is one. */
function sync(deviceId: string, serial: number): Uint8Array {
  const unit = Number(deviceId);
  return new Writer()
    .hex('faf8')
    .u16LE(serial & 0xffff)
    .u32LE(unit <= 0xffff_ffff ? unit : 0)
    .finish();
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  heartbeat: sync,
  answer: (_, outcome) => fromLatin1(outcome === 'done' ? '$OK:TRACKING\r\n' : '$ERR:1\r\n'),
  fixesPerReport: 1,
  acknowledges: false,
  read: readUntil(
    LF,
    asCommand((frame) => toLatin1(frame).trim()),
  ),
};
