import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type Message,
  type Reply,
  storedTextReply,
  toLatin1,
} from '#codec';
import { DEVICE_ID, TextRecord, utcToDigits } from '#codec/text';
import {
  CHANGE,
  CHECK,
  DIAGNOSIS,
  EMERGENCY,
  HEALTH,
  LOGIN_REPORT,
  NORMAL,
  REPORT,
  SHORT_REPORT,
  STATES,
} from './tables.ts';

/** `$,LGN,`, `$,01,`, a header of the maker's with the version of the protocol, and fields that begin with `$`. */
const LOGIN =
  /^\$,?(?:LGN|01),(?:[^,]{0,40},){1,4}?(\d{15}),|^\$,?[\w.-]{1,20},(?:[^,]{0,40},){2,3}(\d{15}),[^,]{1,40},(?:AIS140,|\d[\d.]{0,9},\d{1,5}\.\d{1,10},[NS],)|^\$[^$,]{1,24},?\$(\d{15}),?\$/;

/** Time, number of the SIM card, address and subscriber, which one maker sends before its messages. */
const ENVELOPE = /^\$,?[\w.-]{1,20},\d\d:\d\d:\d\d,\d\d\/\d\d\/\d{2,4},\d{0,20}[0-9A-Fa-f]?,[\d.]{0,15},\d{0,18},/;

export function decode(frame: Uint8Array, { state, now }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const replies = repliesTo(text, now);
  const login = LOGIN.exec(text);
  const id = login?.[1] ?? login?.[2] ?? login?.[3];
  if (id !== undefined) return { state, messages: [{ type: 'login', ids: [id] }], replies };
  return { state, messages: readRecord(text.replace(ENVELOPE, '$')), replies };
}

const FORMS = [REPORT, EMERGENCY, HEALTH, STATES, LOGIN_REPORT, SHORT_REPORT, NORMAL, CHECK, DIAGNOSIS, CHANGE];

function readRecord(text: string): readonly Message[] {
  for (const match of FORMS) {
    const record = new TextRecord();
    if (match(text, record) < 0) continue;
    return [{ type: 'login', ids: [String(record.variables[DEVICE_ID])] }, record.toPosition()];
  }
  throw new CodecError('bad-text', 'the fields are in no known order');
}

/** Units that begin with `$,` repeat what is not answered. */
function repliesTo(text: string, now: number): readonly Reply[] {
  if (text.startsWith('$,01,')) return [storedTextReply('$,1,*')];
  if (text.startsWith('$,HBT,')) return [storedTextReply('$HBT*')];
  if (!text.startsWith('$,LGN,')) return [];
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(\d{6})/.exec(utcToDigits(now))!;
  return [storedTextReply(`$LGN${day}${month}${year}${time}*`)];
}
