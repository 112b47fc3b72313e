import {
  degreesWithLetters,
  fromLatin1,
  meaningByText,
  readUntil,
  type SimulatedFix,
  type Simulator,
  toLatin1,
} from '#codec';
import { utcToDdmmyyHhmmss } from '#codec/text';

/** A long message (D) of version 1.1. */
function record({ time, latitude, longitude, speed, course, ignition }: SimulatedFix): string {
  const place = degreesWithLetters({ latitude, longitude }, 5).replaceAll(',', ';');
  return `${utcToDdmmyyHhmmss(time).join(';')};${place};${Math.round(speed)};${Math.round(course) % 360};120;9;0.9;${ignition ? 1 : 0};0;12.6,4.1;NA;pwr_ext:2:12.6`;
}

const meaning = meaningByText(
  { admitted: /^#AL#1$/, refused: /^#AL#/, acknowledged: /^#A(?:D|SD|B)#/, other: /^#A/ },
  (frame) => toLatin1(frame).trimEnd(),
);

export const simulator: Simulator = {
  login: (deviceId) => fromLatin1(`#L#${deviceId};NA\r\n`),
  report: (fixes) =>
    fromLatin1(fixes.length === 1 ? `#D#${record(fixes[0]!)}\r\n` : `#B#${fixes.map(record).join('|')}\r\n`),
  fixesPerReport: 10,
  heartbeat: () => fromLatin1('#P#\r\n'),
  read: readUntil('\n', meaning),
  answer: (_frame, outcome) => fromLatin1(`#M#${outcome === 'done' ? 'OK' : 'ERROR'}\r\n`),
};
