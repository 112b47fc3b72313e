import {
  CodecError,
  type DecodeContext,
  type Decoded,
  type DeviceOptions,
  fromLatin1,
  type Message,
  type Reply,
  toLatin1,
} from '#codec';
import { ticketOf } from './commands.ts';
import { canBus } from './messages/can.ts';
import { expandedReport } from './messages/eri.ts';
import { EVENTS } from './messages/events.ts';
import { fixedReport } from './messages/fri.ts';
import { readGeneric } from './messages/generic.ts';
import { cells, ignition, information, serialData } from './messages/lists.ts';
import { diagnostics } from './messages/obd.ts';
import { type Draft, outdated, type ReadReport, Report } from './report.ts';

/** By type; what is not here, or does not have the layout of its type, is read by the looks of its fields. */
const REPORTS: ReadonlyMap<string, ReadReport> = new Map([
  ...EVENTS,
  ...['FRI', 'CTN', 'GEO', 'RTL', 'DOG', 'STR'].map((type) => [type, fixedReport] as const),
  ...['IGN', 'IGF', 'VGN', 'VGF'].map((type) => [type, ignition] as const),
  ['ERI', expandedReport],
  ['INF', information],
  ['CAN', canBus],
  ['OBD', diagnostics],
  ['LBS', cells],
  ['DAT', serialData],
]);

const ID = /^[A-Za-z0-9]{1,20}$/;
const IMEI = /^\d{15}$/;
const MEID = /^[0-9A-Fa-f]{14}$/;
const ACKNOWLEDGEMENT = '+ACK';
const STORED = '+BUFF';

export function decode(frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> {
  const { options } = context;
  const report = new Report(toLatin1(frame), options);
  const login: Message = { type: 'login', ids: idsOf(report) };
  const messages = report.text.startsWith(ACKNOWLEDGEMENT)
    ? readAcknowledgement(report)
    : readPositions(report, options['ignoreFixTime'] === true);
  return { state: undefined, messages: [login, ...messages], replies: repliesTo(report, options) };
}

/** Old devices have no version, so their IMEI stands one field early; what stands in the id's place is kept as well. */
function idsOf({ version, id }: Report): [string, ...string[]] {
  const isEarly = IMEI.test(version) && !IMEI.test(id) && !MEID.test(id);
  if (isEarly) return ID.test(id) ? [version, id] : [version];
  if (!ID.test(id)) throw new CodecError('not-identified', 'the device id is neither digits nor letters');
  return [id];
}

function readPositions(report: Report, ignoreFixTime: boolean): Draft[] {
  const generic = () => {
    const draft = readGeneric(report);
    return draft === undefined ? [] : [draft];
  };
  const positions = REPORTS.get(report.type)?.(report) ?? generic();
  const isStored = report.text.startsWith(STORED);
  for (const position of positions) {
    position.attributes['type'] = report.type;
    if (isStored) position.attributes['archive'] = true;
    if (report.sendTime === undefined) continue;
    if (position.outdated) position.deviceTime ??= report.sendTime;
    if (ignoreFixTime) {
      position.deviceTime = report.sendTime;
      if (!position.outdated) position.fixTime = report.sendTime;
    }
  }
  return positions;
}

/** `+ACK:GTxxx`: the device has taken a command, whose serial it repeats before the send time. HBD: a heartbeat. */
function readAcknowledgement({ v, type, sendTime }: Report): Message[] {
  if (type === 'HBD') return [{ type: 'heartbeat' }];
  const result = v[0]!;
  const position = outdated({ result });
  if (sendTime !== undefined) position.deviceTime = sendTime;
  const ticket = ticketOf(v[v.length - 3]!);
  const answer: Message = {
    type: 'answer',
    outcome: 'done',
    text: result,
    ...(ticket === undefined ? {} : { ticket }),
  };
  return [position, answer];
}

function repliesTo({ text, version, count, type }: Report, options: DeviceOptions): Reply[] {
  const replies: Reply[] = [];
  if (type === 'HBD' && text.startsWith(ACKNOWLEDGEMENT)) replies.push(stored(`+SACK:GTHBD,${version},${count}$`));
  if (options['ack'] === true) replies.push(stored(`+SACK:${count}$`));
  return replies;
}

const stored = (text: string): Reply => ({ when: 'stored', bytes: fromLatin1(text) });

/** A device that wants its messages acknowledged would send the one that nobody understands for ever. */
export function acknowledgeUndecoded(frame: Uint8Array, context: DecodeContext<undefined>): Reply[] {
  try {
    return repliesTo(new Report(toLatin1(frame), context.options), context.options);
  } catch {
    return [];
  }
}
