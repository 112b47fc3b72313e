const MINUTE = 60_000;

/** Minutes that the clocks of a zone are ahead of UTC at an instant. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(new Date(instant));
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return Math.round((local - instant) / MINUTE);
}

/** The instant at which a day (YYYY-MM-DD) begins in a zone. */
export function startOfDay(day: string, zone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const first = utc - offsetAt(utc, zone) * MINUTE;
  // where clocks change between the two, the offset at the found instant decides
  return utc - offsetAt(first, zone) * MINUTE;
}

export const dayOf = (instant: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(instant),
  );

export function shiftDay(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
