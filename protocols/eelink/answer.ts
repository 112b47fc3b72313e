import { type Draft, utcFromIso, withHemisphere } from '#codec';

/** What stands in the text of a place, in this order, anything between. */
const PARTS: readonly { readonly label: string; readonly value: RegExp }[] = [
  { label: 'Lat:', value: /([NS])(\d{1,3}\.\d{1,10})/y },
  { label: 'Lon:', value: /([EW])(\d{1,3}\.\d{1,10})/y },
  { label: 'Course:', value: /()(\d{1,5}\.\d{1,10})/y },
  { label: 'Speed:', value: /()(\d{1,5}\.\d{1,10})/y },
];
const TIME = /Date ?Time:(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;

/** The position in the text of an answer; undefined for any other text. */
export function placeIn(text: string, draft: Draft): boolean {
  if (!text.startsWith('Lat:')) return false;
  const values: number[] = [];
  let at = 0;
  for (const { label, value } of PARTS) {
    at = text.indexOf(label, at);
    if (at < 0) return false;
    value.lastIndex = at + label.length;
    const match = value.exec(text);
    if (match === null) return false;
    values.push(withHemisphere(Number(match[2]), match[1]));
    at = value.lastIndex;
  }
  const time = TIME.exec(text);
  const epoch = time === null ? Number.NaN : utcFromIso(`${time[1]}T${time[2]}Z`);
  if (Number.isNaN(epoch)) return false;
  const [latitude, longitude, course, speed] = values as [number, number, number, number];
  draft.setFix(epoch, true, latitude, longitude);
  draft.setMovement(undefined, speed, course);
  return true;
}
