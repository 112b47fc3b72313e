import { type Attributes, Draft, type Message, utcFromCalendar } from '#codec';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DIRECTIONS = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];

const PLACE = /(-?\d{1,2}\.\d{1,8}), (-?\d{1,3}\.\d{1,8})/;
const MOVEMENT = /(?:\b([NS]?[EW]?) )?with speed (\d{1,3}) km\/h/;
const TIME = /\b(\d{1,2}):(\d\d)(?::(\d\d))? ([A-Z][a-z]{2}) (\d{1,2})\b/;
const IGNITION = /\bIgnition (on|off) detected\b/;
const BATTERY = /\bbattery: (\d{1,3})%( \(power connected\))?/;
const SIGNALS = /\bGPS: (\d{1,3})%, GSM: (\d{1,3})%/;

/** A report in words, as the device sends it to phones too. `clock` is the time of its header. */
export function readText(text: string, index: number, clock: number): Message {
  const report = text.replace(/ EOF$/, '');
  if (report === 'ping') return { type: 'heartbeat' };
  const draft = new Draft({ index, text: report });
  const { attributes } = draft;
  const ignition = IGNITION.exec(report)?.[1];
  if (ignition !== undefined) attributes['ignition'] = ignition === 'on';
  setStatus(report, attributes);
  const time = timeOf(report, clock);
  draft.deviceTime = time ?? clock;
  const [, latitude, longitude] = PLACE.exec(report) ?? [];
  if (time === undefined || latitude === undefined) return draft.toPosition();
  draft.setFix(time, true, Number(latitude), Number(longitude));
  const [, direction, speed] = MOVEMENT.exec(report) ?? [];
  if (speed !== undefined) draft.setMovement(undefined, Number(speed), courseOf(direction));
  return draft.toPosition();
}

/** What the status says of the signals and of the supply. */
function setStatus(report: string, attributes: Attributes): void {
  const [, gps, gsm] = SIGNALS.exec(report) ?? [];
  if (gps !== undefined) attributes['gps'] = Number(gps);
  if (gsm !== undefined) attributes['rssi'] = Number(gsm);
  const [, battery, power] = BATTERY.exec(report) ?? [];
  if (battery !== undefined) attributes['batteryLevel'] = Number(battery);
  if (power !== undefined) attributes['charge'] = true;
}

function courseOf(direction = ''): number | undefined {
  const at = DIRECTIONS.indexOf(direction);
  return at < 0 ? undefined : at * 45;
}

/** The text has no year: it is that in which the time is nearest to the clock. */
function timeOf(report: string, clock: number): number | undefined {
  const [, hour, minute, second = '0', name = '', day] = TIME.exec(report) ?? [];
  const month = MONTHS.indexOf(name);
  if (month < 0) return undefined;
  const year = new Date(clock).getUTCFullYear();
  const times = [year - 1, year, year + 1].map((y) =>
    utcFromCalendar(y, month + 1, Number(day), Number(hour), Number(minute), Number(second)),
  );
  // the 29th of February is a day of some of these years
  const [first = Number.NaN, ...others] = times.filter((time) => !Number.isNaN(time));
  return others.reduce((best, time) => (Math.abs(time - clock) < Math.abs(best - clock) ? time : best), first);
}
