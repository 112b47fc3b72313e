/**
 * A second count of cabotage, written from the text of Regulation 1072/2009 article 8 and Regulation 1182/71 article 3 and
 * without the code of the counter: it looks at each operation alone and goes back through calendar days. One vehicle,
 * carriages that do not overlap, UTC, every border is known.
 */
export interface Carriage {
  readonly from: string;
  readonly to: string;
  /** epoch ms */
  readonly loaded: number;
  readonly unloaded: number;
}

const DAY = 86_400_000;
const dayOf = (at: number): number => Math.floor(at / DAY);
/** 1970-01-01 was a Thursday. */
const isWeekend = (day: number): boolean => [2, 3].includes(day % 7);

/** Does a time lie in a period of days after an event? `maybe`: by weekends only. */
function within(at: number, event: number, days: number): 'yes' | 'maybe' | 'no' {
  const last = dayOf(event) + days;
  if (dayOf(at - 1) <= last) return 'yes';
  let end = last;
  const working = (): number => {
    let count = 0;
    for (let day = dayOf(event) + 1; day <= end; day++) if (!isWeekend(day)) count++;
    return count;
  };
  while (isWeekend(end) || working() < 2) end++;
  return dayOf(at - 1) <= end ? 'maybe' : 'no';
}

export type Answer = 'allowed' | 'review' | 'not-allowed';

export function countAgain(all: readonly Carriage[], home: string): Answer[] {
  const isCabotage = ({ from, to }: Carriage): boolean => from === to && from !== home;
  return all.filter(isCabotage).map((one): Answer => {
    const earlier = all.filter((each) => each.unloaded <= one.loaded && each !== one);
    const incoming = earlier.findLast((each) => each.from !== each.to && each.to !== home);
    if (incoming === undefined) return 'not-allowed';
    const after = earlier.filter((each) => each.loaded >= incoming.unloaded);
    const mine = after.filter(isCabotage);
    const answers: ('yes' | 'maybe' | 'no')[] = [within(one.unloaded, incoming.unloaded, 7)];
    if (mine.length >= 3) answers.push('no');
    if (after.some((each) => each.to === home)) answers.push('maybe');
    if (one.from !== incoming.to) {
      if (mine.some(({ from }) => from === one.from)) answers.push('no');
      // the vehicle crosses the border where the carriage before it ended, and the day it loads is the day it enters
      answers.push(within(one.unloaded, one.loaded, 3));
    } else {
      // back in the host after another state: whether one operation in three days holds there is a reading of the text
      const away = after.findLastIndex(({ from, to }) => from !== one.from || to !== one.from);
      const back = after.slice(away + 1).filter(isCabotage);
      const entry = back[0] ?? one;
      if (away >= 0 && (back.length > 0 || within(one.unloaded, entry.loaded, 3) !== 'yes')) answers.push('maybe');
    }
    const before = earlier.findLast((each) => isCabotage(each) && each.from === one.from);
    const isElsewhere = ({ from, to }: Carriage): boolean => from !== one.from || to !== one.from;
    const hasLeft = before !== undefined && earlier.some((each) => each.loaded >= before.unloaded && isElsewhere(each));
    if (hasLeft) {
      const cooling = within(one.loaded + 1, before.unloaded, 4);
      answers.push(cooling === 'yes' ? 'no' : cooling === 'maybe' ? 'maybe' : 'yes');
    }
    return answers.includes('no') ? 'not-allowed' : answers.includes('maybe') ? 'review' : 'allowed';
  });
}
