import {
  CodecError,
  type DecodeContext,
  type Decoded,
  Draft,
  type Message,
  Reader,
  type Reply,
  storedReply,
  Writer,
} from '#codec';
import { APPDATA, packet, RESPONSE, record, SIGNED_APPDATA, subRecord } from './packet.ts';
import { readExtendedPosition, readPosition, timeOf } from './position.ts';
import { SENSORS } from './sensors.ts';

export interface State {
  /** by TERM_IDENTITY; then the object ids of records are ignored */
  readonly isIdentified: boolean;
  /** of the next packet that is sent */
  readonly nextPacket: number;
}

const AUTHENTICATION = 1;
const TELEDATA = 2;
const RECORD_RESPONSE = 0;
const TERM_IDENTITY = 1;
const DISPATCHER_IDENTITY = 5;
const RESULT_CODE = 9;
const COMMAND_DATA = 51;
/** EGTS_PC_ID_NFOUND */
const NOT_FOUND = 153;

/** One record on its way. */
interface Service {
  readonly draft: Draft;
  identity?: string;
  /** a dispatcher, which relays the records of others, asks to be authenticated */
  isDispatcher?: true;
  answer?: Message;
}

const WHITE = /[\0 ]+/g;

/** IMEI, else IMSI, else telephone number, else the id of the terminal (TID). */
function readIdentity(reader: Reader, service: Service): void {
  const terminal = reader.u32LE();
  const flags = reader.u8();
  if (flags & 0x01) reader.skip(2);
  const imei = flags & 0x02 ? reader.latin1(15).replace(WHITE, '') : '';
  const imsi = flags & 0x04 ? reader.latin1(16).replace(WHITE, '') : '';
  reader.skip((flags & 0x08 ? 3 : 0) + (flags & 0x20 ? 3 : 0) + (flags & 0x40 ? 2 : 0));
  const phone = flags & 0x80 ? reader.latin1(15).replace(WHITE, '') : '';
  const id = imei || imsi || phone || (terminal === 0 ? '' : String(terminal));
  if (id !== '') service.identity = id;
}

const CONFIRMATION = 1;
const IN_PROGRESS = 6;

/** EGTS_SR_COMMAND_DATA (51): the confirmation of a command. */
function readCommand(reader: Reader, service: Service): void {
  const kind = reader.u8();
  const result = kind & 0x0f;
  if (kind >> 4 !== CONFIRMATION || result === IN_PROGRESS) return;
  service.answer = {
    type: 'answer',
    outcome: result === 0 ? 'done' : 'refused',
    bytes: reader.view(reader.remaining).slice(),
  };
}

const SUB_RECORDS: Readonly<Record<number, (reader: Reader, service: Service) => void>> = {
  [TERM_IDENTITY]: readIdentity,
  [DISPATCHER_IDENTITY]: (_, service) => {
    service.isDispatcher = true;
  },
  16: (reader, { draft }) => readPosition(reader, draft),
  17: (reader, { draft }) => readExtendedPosition(reader, draft),
  [COMMAND_DATA]: readCommand,
};

/** A sub-record that ends too early keeps what was read of it, and does not lose the next one. */
function readSubRecords(reader: Reader, service: Service): void {
  while (reader.remaining >= 3) {
    const type = reader.u8();
    const length = reader.u16LE();
    const content = reader.slice(Math.min(length, reader.remaining));
    try {
      SUB_RECORDS[type]?.(content, service);
      SENSORS[type]?.(content, service.draft);
    } catch (error) {
      if (!(error instanceof CodecError)) throw error;
    }
  }
}

interface PacketRecords {
  readonly messages: Message[];
  /** record number and source service, in pairs */
  readonly records: number[];
  identified: boolean;
  hasDispatcher: boolean;
  /** numbers of the records of which no owner is known */
  readonly unnamed: number[];
}

/** Reads one record and returns the object that is in force after it. */
function readRecord(reader: Reader, object: number, record: PacketRecords): number {
  const length = reader.u16LE();
  const number = reader.u16LE();
  const flags = reader.u8();
  const named = flags & 0x01 ? reader.u32LE() : object;
  reader.skip(flags & 0x02 ? 4 : 0);
  const time = flags & 0x04 ? timeOf(reader.u32LE()) : undefined;
  const source = reader.u8();
  reader.skip(1);
  const service: Service = { draft: new Draft() };
  readSubRecords(reader.slice(Math.min(length, reader.remaining)), service);
  record.records.push(number, source);
  const { draft, identity, answer } = service;
  if (service.isDispatcher && source === AUTHENTICATION) record.hasDispatcher = true;
  if (identity !== undefined) {
    record.identified = true;
    record.messages.push({ type: 'login', ids: [identity] });
  }
  if (!record.identified && named === 0) {
    if (source === TELEDATA) record.unnamed.push(number);
    return named;
  }
  const device = record.identified ? {} : { deviceId: String(named) };
  if (answer !== undefined) record.messages.push({ ...answer, ...device });
  if (source === TELEDATA && !draft.isEmpty) {
    draft.deviceTime ??= time;
    if (!record.identified) draft.deviceId = String(named);
    record.messages.push(draft.toPosition());
  }
  return named;
}

/** One packet that confirms all records, each with status 0; those of which nobody is the owner are refused. */
function confirm(id: number, packetId: number, records: readonly number[], unnamed: readonly number[]): Uint8Array {
  const statuses = new Writer(6 * records.length);
  for (let at = 0; at < records.length; at += 2) {
    statuses.raw(
      subRecord(
        RECORD_RESPONSE,
        new Writer(3)
          .u16LE(records[at]!)
          .u8(unnamed.includes(records[at]!) ? NOT_FOUND : 0)
          .finish(),
      ),
    );
  }
  const data = new Writer(64).u16LE(packetId).u8(0);
  if (records.length > 0) data.raw(record(id, records[1]!, statuses.finish()));
  return packet(RESPONSE, id, data.finish());
}

const authentication = (id: number, result: number): Uint8Array =>
  packet(APPDATA, id, record(id, AUTHENTICATION, subRecord(RESULT_CODE, Uint8Array.of(result))));

const PROTECTED = 0x1c;

/** Opens the packet and reads its records, up to one that is cut off. */
export function decode(bytes: Uint8Array, { state }: DecodeContext<State>): Decoded<State> {
  const reader = new Reader(bytes, 2, bytes.length);
  const flags = reader.u8();
  const header = reader.u8();
  reader.skip(3);
  const packetId = reader.u16LE();
  const type = reader.u8();
  if (type === RESPONSE) return { state, messages: [], replies: [] };
  if (type > SIGNED_APPDATA) throw new CodecError('unknown-type', `a packet of type ${type}`, 9);
  if (flags & PROTECTED) throw new CodecError('unknown-type', 'an encrypted or compressed packet', 2);
  const body = new Reader(bytes, header, Math.max(header, bytes.length - 2));
  const record: PacketRecords = {
    messages: [],
    records: [],
    identified: state.isIdentified,
    hasDispatcher: false,
    unnamed: [],
  };
  try {
    let object = 0;
    while (body.remaining > 2) object = readRecord(body, object, record);
  } catch (error) {
    if (!(error instanceof CodecError) || record.records.length === 0) throw error;
  }
  const { messages, records, identified } = record;
  const id = state.nextPacket;
  const replies: Reply[] = [storedReply(confirm(id, packetId, records, record.unnamed))];
  const isLogin = messages.some((message) => message.type === 'login');
  if (isLogin) {
    replies.push(storedReply(authentication(id + 1, 0)));
    replies.push({ when: 'refused', bytes: authentication(id, NOT_FOUND) });
  }
  if (record.hasDispatcher && !isLogin) replies.push(storedReply(authentication(id + 1, 0)));
  const nextPacket = (id + (replies.length > 1 ? 2 : 1)) & 0xffff;
  return { state: { isIdentified: identified, nextPacket }, messages, replies };
}

/** The packet is confirmed, none of its records. */
export function acknowledgeUndecoded(bytes: Uint8Array, { state }: DecodeContext<State>): readonly Reply[] {
  if (bytes.length < 10) return [];
  return [storedReply(confirm(state.nextPacket, bytes[7]! | (bytes[8]! << 8), [], []))];
}
