import { nearestTimeOfDay } from '#codec';
import { parseTime } from '#codec/text';

/** Start of a message: when it was made, the event, and what follows. */
export interface Head {
  readonly type: string;
  /** epoch ms; undefined if the clock of the device was not set */
  readonly time: number | undefined;
  readonly event: number | undefined;
  readonly rest: string;
}

const GPS_EPOCH = Date.UTC(1980, 0, 6);
const DAY_MS = 86_400_000;

/**
 * Event, week of GPS and day, which may be missing, then seconds of the day. Source: DCT, Antares SB manual: without a
 * fix all that follows are zeros, also those in place of the signs.
 */
const WEEK = /^(REV|RPV)(?:(\d\d)(\d{4})(\d))?(\d{5})(?=0{17}|\D|$)/;
/** Event, name of the model, day, month, year and time of day. */
const DATE =
  /^(RGP|RTT|RCQ|RCV|RCY|REQ|RER|RBR|RUS00|RPI|RUV\d\d),?(\d{0,10}?),?(?:[A-Z][A-Z\d]{0,20},)?(\d{12})(?!\d)/;
/** Position or altitude of Trimble's receivers: seconds of the day, those of LN with milliseconds. */
const SHORT = /^(RCP|RLN|RAL)(\d{5})(?:\d{3})?(?!\d)/;
/** Years of two digits from here on are of the century before, and of clocks that were not set. */
const CENTURY = 70;

export function readHead(text: string, now: number): Head | undefined {
  return readWeek(text, now) ?? readDate(text) ?? readShort(text, now);
}

function readWeek(text: string, now: number): Head | undefined {
  const m = WEEK.exec(text);
  if (m === null) return undefined;
  const [all, type, event, week, day, seconds] = m;
  const ms = Number(seconds) * 1000;
  return {
    type: type!,
    time: week === undefined ? nearestTimeOfDay(ms, now) : timeOfWeek(Number(week), Number(day), ms),
    event: event === undefined ? undefined : Number(event),
    rest: text.slice(all.length),
  };
}

/** Week 0 is that of a clock that was not set. */
const timeOfWeek = (week: number, day: number, ms: number): number | undefined =>
  week === 0 ? undefined : GPS_EPOCH + (week * 7 + day) * DAY_MS + ms;

function readDate(text: string): Head | undefined {
  const m = DATE.exec(text);
  if (m === null) return undefined;
  const [all, type, event, digits = ''] = m;
  const time = Number(digits.slice(4, 6)) < CENTURY ? parseTime(digits, 'ddMMyyHHmmss') : undefined;
  return { type: type!, time, event: event === '' ? undefined : Number(event), rest: text.slice(all.length) };
}

function readShort(text: string, now: number): Head | undefined {
  const m = SHORT.exec(text);
  if (m === null) return undefined;
  return {
    type: m[1]!,
    time: nearestTimeOfDay(Number(m[2]) * 1000, now),
    event: undefined,
    rest: text.slice(m[0].length),
  };
}
