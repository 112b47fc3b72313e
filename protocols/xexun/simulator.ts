import { asCommand, fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { rmcSentence, utcToDigits } from '#codec/text';

function report(fix: SimulatedFix, id: string): Uint8Array {
  const state = 'F:4.11V,0,132,40512,460,01,2533,720B';
  return fromLatin1(`${utcToDigits(fix.time).slice(2)},,${rmcSentence(fix)},F,, imei:${id},05,50.1,${state}\r\n`);
}

export const simulator: Simulator = {
  report: ([fix], deviceId) => report(fix!, deviceId),
  acknowledges: false,
  read: readAll(asCommand((frame) => toLatin1(frame))),
};
