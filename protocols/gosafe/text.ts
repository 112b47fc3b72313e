import { type Attributes, CodecError, Draft, type Message, readOptional, setIfPresent } from '#codec';
import { isDigits, utcFromDdmmyyHhmmss } from '#codec/text';
import { degreesOf, FRAGMENTS, type Item, isHexFragment, setEvent, valuesOf } from './fragments.ts';

const SENTENCE = /^\*(GS\d{1,4}),(\d{10,20}),([^#]+)#?$/;
const BARE = /^\*GS\d{1,4},\d{10,20}#?$/;
const OLD = 'GS02';

/** Nothing if only the id is there: such a sentence keeps the connection open. */
export function decodeText(text: string): Message[] {
  const m = SENTENCE.exec(text);
  if (m === null) {
    if (BARE.test(text)) return [{ type: 'heartbeat' }];
    throw new CodecError('bad-text', 'no sentence of the family', 0);
  }
  const [, version, id, data] = m as unknown as [string, string, string, string];
  const messages: Message[] = [{ type: 'login', ids: [id] }];
  if (version.startsWith(OLD)) return [...messages, readOld(data)];
  for (const item of data.split('$')) messages.push(readItem(item));
  return messages;
}

/** hhmmssddmmyy of the years from 2010 on; what else stands there is the text of an answer. */
const isTime = (text: string): boolean => isDigits(text, 12) && text[10] !== '0';

function readItem(text: string): Message {
  const [first = '', ...fragments] = text.split(',');
  const item: Item = { draft: new Draft() };
  const { draft } = item;
  for (const fragment of fragments) readFragment(fragment, item);
  if (!isTime(first)) {
    draft.attributes['result'] = first;
    return draft.toPosition();
  }
  const time = utcFromDdmmyyHhmmss(first.slice(6), first.slice(0, 6));
  draft.deviceTime = time;
  const { place } = item;
  if (place !== undefined) draft.setFix(time, place.valid, place.latitude, place.longitude);
  return draft.toPosition();
}

function readFragment(fragment: string, item: Item): void {
  if (fragment === '') return;
  const colon = fragment.indexOf(':');
  if (colon < 0) {
    if (isHexFragment(fragment)) setEvent(fragment, item.draft.attributes);
    return;
  }
  const read = FRAGMENTS.get(fragment.slice(0, colon));
  if (read !== undefined) readOptional(() => read(valuesOf(fragment.slice(colon + 1)), item));
}

const PLACE =
  /^GPS:(\d{6});(?:\d;)?([AV]);([NS]\d{1,2}\.\d{1,8});([EW]\d{1,3}\.\d{1,8});(\d{1,4}(?:\.\d{1,4})?)?;(\d{1,3}(?:\.\d{1,4})?);(\d{0,4}(?:\.\d{1,2})?)(\d{6})/;

/** One place; between hdop and date stands nothing. */
function readOld(data: string): Message {
  const m = PLACE.exec(data);
  if (m === null) throw new CodecError('bad-text', 'no place of the older layout');
  const [, time, state, latitude, longitude, speed, course, hdop, date] = m;
  const attributes: Attributes = {};
  setIfPresent(attributes, 'hdop', hdop === '' ? undefined : Number(hdop));
  const draft = new Draft(attributes);
  draft.setFix(utcFromDdmmyyHhmmss(date!, time!), state === 'A', degreesOf(latitude!), degreesOf(longitude!));
  draft.setMovement(undefined, speed === undefined ? undefined : Number(speed), Number(course));
  return draft.toPosition();
}
