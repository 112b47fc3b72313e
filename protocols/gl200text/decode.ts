import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  type Message,
  type Position,
  type Reply,
  statusPosition,
  storedTextReply,
  toLatin1,
} from '#codec';
import type { TextRecord } from '#codec/text';
import { ticketOf } from './commands.ts';
import { readGeneric } from './generic.ts';
import { REPORTS } from './messages.ts';
import { Report } from './report.ts';

const ID = /^[A-Za-z0-9]{1,20}$/;
const IMEI = /^\d{15}$/;
const FLAG = /^\d$/;
const MEID = /^[0-9A-Fa-f]{14}$/;
const ACKNOWLEDGEMENT = '+ACK';
const STORED = '+BUFF';
const HEARTBEATS = [ACKNOWLEDGEMENT, '+RESP'];
const isHeartbeat = ({ type, text }: Report): boolean =>
  type === 'HBD' && HEARTBEATS.some((start) => text.startsWith(start));

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { options } = context;
  const report = new Report(toLatin1(frame), options);
  const login: Message = { type: 'login', ids: idsOf(report) };
  const messages = isHeartbeat(report)
    ? [{ type: 'heartbeat' } as const]
    : report.text.startsWith(ACKNOWLEDGEMENT)
      ? readAcknowledgement(report)
      : readPositions(report, options['ignoreFixTime'] === true);
  return { state: undefined, messages: [login, ...messages], replies: repliesTo(report, options) };
}

/** Old devices have no version, so their IMEI stands one field early; what stands in the id's place may be a name, or a flag. */
function idsOf({ version, id }: Report): [string, ...string[]] {
  const isEarly = IMEI.test(version) && !IMEI.test(id) && !MEID.test(id);
  if (isEarly) return ID.test(id) && !FLAG.test(id) ? [version, id] : [version];
  if (!ID.test(id)) throw new CodecError('not-identified', 'the device id is neither digits nor letters');
  return [id];
}

/** The place of a device that was called: in front of it stands the number that called. */
const CALL = 'LBC';

function readPositions(report: Report, ignoreFixTime: boolean): Position[] {
  const generic = (): TextRecord[] => {
    const record = readGeneric(report);
    return record === undefined ? [] : [record];
  };
  const { type, sendTime } = report;
  const isStored = report.text.startsWith(STORED);
  return (REPORTS.get(type)?.(report) ?? generic()).map((record) => {
    const { draft } = record;
    const { attributes } = draft;
    attributes['type'] = type;
    if (type === CALL && attributes['data'] !== undefined) attributes['phone'] = String(attributes['data']);
    if (report.alarm !== undefined) attributes['alarm'] ??= report.alarm;
    if (report.vin) attributes['vin'] ??= report.vin;
    if (isStored) attributes['archive'] = true;
    if (!record.hasFix || ignoreFixTime) draft.deviceTime ??= sendTime;
    if (record.hasFix && ignoreFixTime && sendTime !== undefined) draft.deviceTime = record.fixTime = sendTime;
    return record.toPosition();
  });
}

/** `+ACK:GTxxx`: the device has taken a command, whose serial it repeats before the send time. */
function readAcknowledgement({ v, sendTime }: Report): Message[] {
  const result = v[0]!;
  const ticket = ticketOf(v[v.length - 3]!);
  const answer: Message = {
    type: 'answer',
    outcome: 'done',
    text: result,
    ...(ticket === undefined ? {} : { ticket }),
  };
  return [statusPosition({ result }, sendTime), answer];
}

function repliesTo(report: Report, options: DeviceOptions): Reply[] {
  const { version, count } = report;
  const replies: Reply[] = [];
  if (isHeartbeat(report)) replies.push(storedTextReply(`+SACK:GTHBD,${version},${count}$`));
  if (options['ack'] === true) replies.push(storedTextReply(`+SACK:${count}$`));
  return replies;
}

/** A device that wants its messages acknowledged would send the one that nobody understands for ever. */
export function acknowledgeUndecoded(frame: Uint8Array, context: DecodeContext<undefined>): Reply[] {
  try {
    return repliesTo(new Report(toLatin1(frame), context.options), context.options);
  } catch {
    return [];
  }
}
