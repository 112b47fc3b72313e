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
import { EMERGENCY, HEALTH, REPORT, STATES } from './tables.ts';

/** `$,LGN,`, `$,01,` and a header of the maker's with the version of the protocol. */
const LOGIN =
  /^\$,?(?:LGN|01),(?:[^,]{0,40},){1,4}?(\d{15}),|^\$,?[\w.-]{1,20},(?:[^,]{0,40},){2}(\d{15}),[^,]{1,40},AIS140,/;

export function decode(frame: Uint8Array, { state, now }: DecodeContext<undefined>): Decoded<undefined> {
  const text = toLatin1(frame);
  const replies = repliesTo(text, now);
  const login = LOGIN.exec(text);
  const id = login?.[1] ?? login?.[2];
  if (id !== undefined) return { state, messages: [{ type: 'login', ids: [id] }], replies };
  return { state, messages: readRecord(text), replies };
}

function readRecord(text: string): readonly Message[] {
  for (const match of [REPORT, EMERGENCY, HEALTH, STATES]) {
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
