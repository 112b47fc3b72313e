import { asCommand, fromLatin1, readAll, type Simulator, toHex, writeFix } from '#codec';

const STATE = '460,07,262C,0F54,25,0000,0000,0,0,0,28.5,28.3,,,100,Timer;!';
const REPORT = `$MGV002,{id},,R,{ddMMyy},{HHmmss},A,{place.5},00,03,00,1.20,{knots.3},{course.2},137.9,1.5,${STATE}`;

export const simulator: Simulator = {
  report: ([fix], id) => fromLatin1(writeFix(REPORT, fix!, { id })),
  acknowledges: false,
  read: readAll(asCommand((frame) => toHex(frame))),
};
