import { fromLatin1, readUntil, type ServerMessage, type SimulatedFix, type Simulator, toLatin1 } from '#codec';

/** The device's side, written from the ST300 protocol document: STT reports, ALV, and answers `Res`. */
export const simulator: Simulator = {
  acknowledges: false,
  report: ([fix], deviceId, serial) => {
    const { time, speed, course, ignition } = fix!;
    const [date, clock] = new Date(time).toISOString().slice(0, 19).split('T');
    const how = `${speed.toFixed(3).padStart(7, '0')};${course.toFixed(2).padStart(6, '0')};9;1`;
    const status = `123456;12.50;${ignition ? 1 : 0}00000;2;${String(serial % 10_000).padStart(4, '0')}`;
    return fromLatin1(
      `ST300STT;${deviceId};04;310;${date!.replaceAll('-', '')};${clock};1a2b3c;${place(fix!)};${how};${status}\r`,
    );
  },
  heartbeat: (deviceId) => fromLatin1(`ST300ALV;${deviceId}\r`),
  read: readUntil('\r', (frame) => says(frame)),
  answer: (frame, _outcome, deviceId) => {
    // ST300CMD;<id>;02;Reboot → ST300CMD;Res;<id>;<version>;Reboot. The protocol has no refusal.
    const [name = '', , ...words] = toLatin1(frame).trimEnd().split(';');
    const rest = [deviceId, '310', ...words.slice(1)].join(';');
    return fromLatin1(name === 'CMD' ? `RES;${deviceId};${words.join(';')}\r` : `ST300CMD;Res;${rest}\r`);
  },
};

const says = (frame: Uint8Array): ServerMessage => ({ type: 'command', text: toLatin1(frame).trimEnd(), frame });

/** Signed degrees with leading zeros: +48.100000;+011.600000 */
function place({ latitude, longitude }: SimulatedFix): string {
  const signed = (value: number, width: number) =>
    `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6).padStart(width, '0')}`;
  return `${signed(latitude, 9)};${signed(longitude, 10)}`;
}
