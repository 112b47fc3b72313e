import { fromLatin1, readAll, type SimulatedFix, type Simulator, toLatin1 } from '#codec';
import { utcToDigits } from '#codec/text';

const MAKER = 'istartracker,V100';

function letters({ latitude, longitude }: SimulatedFix): string {
  const [ns, ew] = [latitude < 0 ? 'S' : 'N', longitude < 0 ? 'W' : 'E'];
  return `${Math.abs(latitude).toFixed(6)},${ns},${Math.abs(longitude).toFixed(6)},${ew}`;
}

/** Source: Startek, VT140 protocol 1.0, 2.3. */
function report(fix: SimulatedFix, id: string, serial: number): Uint8Array {
  const [, y, m, d, time] = /^(\d{4})(\d\d)(\d\d)(\d{6})/.exec(utcToDigits(fix.time))!;
  const movement = `${fix.speed.toFixed(1)},${Math.round(fix.course)},9,82,6.0,4.7`;
  const state = `China Mobile,${fix.ignition ? 1 : 0},1,12.3,4.1,0,C,31,460,0,249F,10C5`;
  const cells = '249F,1093,74,249F,0F5C,81,249F,1091,84,249F,10C4,88';
  const tail = `0000,00,0.0,0.0,1684,${String(serial % 1_000_000).padStart(6, '0')},12*`;
  return fromLatin1(
    `$,NRM,${MAKER},NR,01,L,${id},car123456,1,${d}${m}${y},${time},${letters(fix)},${movement},${state},${cells},${tail}`,
  );
}

export const simulator: Simulator = {
  login: (id) => fromLatin1(`$,LGN,istartracker,car123456,${id},V100,AIS140,22.678880,N,114.047001,E*`),
  report: ([fix], id, serial) => report(fix!, id, serial),
  heartbeat: (id) => fromLatin1(`$,HBT,${MAKER},HP,${id},94%,20%,0.00%,20,30,0000,00,0.0,0.0*`),
  acknowledges: false,
  read: readAll((frame) => {
    const text = toLatin1(frame);
    if (text.startsWith('$LGN')) return { type: 'admitted' };
    return text.startsWith('$') ? { type: 'other' } : { type: 'command', text, frame };
  }),
};
