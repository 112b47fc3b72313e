import type {
  CommandDefinition,
  DecodeContext,
  Decoded,
  Reply,
  ServerMessage,
  SimulatedFix,
  Simulator,
  StreamProtocol,
} from '../contract.ts';
import { CodecError } from '../errors.ts';
import { type Sentences, type SentenceTable, sentences } from '../framing/sentences.ts';
import type { Message, Position } from '../messages.ts';
import { type CommandModule, mapValues, type StreamFacts, streamProtocol } from '../protocol.ts';
import { toLatin1 } from '../reader.ts';
import { readUntil } from '../simulator.ts';
import { Fields } from './fields.ts';
import type { Grammar } from './grammar.ts';
import { TextRecord } from './record.ts';
import type { Layout } from './walk.ts';

/** What the fields behind the type of a sentence mean. Throws CodecError. */
export type SentenceHandler = (fields: Fields, context: DecodeContext<undefined>) => readonly Message[];

/** The device's side; start, checksum and line end of its sentences are added. */
export interface SentenceSimulator {
  report(fix: SimulatedFix, deviceId: string, serial: number): string;
  heartbeat?(deviceId: string): string;
  answer?(deviceId: string, outcome: 'done' | 'refused'): string;
  /** what a sentence of the server is, by its content */
  read(content: string): 'acknowledged' | 'refused' | 'command' | 'other';
}

/** Sentences of separated fields: the id of the device, a type, and what belongs to the type. */
export interface SentenceProtocol extends StreamFacts<undefined>, CommandModule<undefined> {
  readonly sentences: SentenceTable;
  /** default: a comma */
  readonly separator?: string;
  /** default: 15 digits */
  readonly deviceId?: RegExp;
  /** by type */
  readonly messages: Readonly<Record<string, SentenceHandler>>;
  /** Content of an acknowledgement by type, undefined for an unknown type; absent, or ``: nothing is sent. */
  readonly acknowledge?: (type: string | undefined) => string;
  /** content of the sentence that rejects a device */
  readonly reject?: string;
  /** what stands before the text of a command */
  readonly commandHead?: string;
  readonly simulator: SentenceSimulator;
}

type Command = CommandDefinition<undefined>;

const IMEI = /^\d{15}$/;
const LF = 0x0a;

/** A protocol of sentences from its tables. */
export function sentenceProtocol(table: SentenceProtocol): StreamProtocol<undefined> {
  const { sentences: form, separator = ',', deviceId = IMEI, messages, acknowledge, reject, ...others } = table;
  const { commands, privileged = [], commandHead = '', simulator, ...facts } = others;
  const framing = sentences(form);
  const wrap = (command: Command): Command => ({
    ...command,
    encode: (params, context) => framing.write(commandHead + toLatin1(command.encode(params, context))),
  });
  const refused: readonly Reply[] = reject === undefined ? [] : [{ when: 'refused', bytes: framing.write(reject) }];
  const stored = (type: string | undefined): readonly Reply[] => {
    const content = acknowledge?.(type) ?? '';
    return content === '' ? [] : [{ when: 'stored', bytes: framing.write(content) }];
  };
  const decode = (frame: Uint8Array, context: DecodeContext<undefined>): Decoded<undefined> => {
    const fields = new Fields(framing.contentOf(frame).split(separator));
    const id = fields.text();
    if (!deviceId.test(id)) throw new CodecError('bad-text', 'no device id');
    const type = fields.text();
    const handler = Object.hasOwn(messages, type) ? messages[type] : undefined;
    if (handler === undefined) throw new CodecError('unknown-type', `message ${type.slice(0, 20)} is not known`);
    const found = handler(fields, context);
    const replies = stored(type);
    return {
      state: undefined,
      messages: [{ type: 'login', ids: [id] }, ...found],
      replies: replies.length === 0 ? replies : [...refused, ...replies],
    };
  };
  return streamProtocol(facts, {
    framing,
    decoding: { decode, acknowledgeUndecoded: () => stored(undefined) },
    commanding: { commands: mapValues(commands, wrap), privileged },
    simulator: simulatorOf(simulator, framing, acknowledge !== undefined),
  });
}

/** The position that a layout reads. Throws CodecError `bad-text` where a fix cannot be read. */
export function readPosition(layout: Layout, fields: Fields): Position {
  const record = new TextRecord();
  layout.walk(fields, record);
  if (!record.hasFix) throw new CodecError('bad-text', `field ${fields.at} cannot be read`);
  return record.toPosition();
}

function simulatorOf(device: SentenceSimulator, { write, contentOf }: Sentences, acknowledges: boolean): Simulator {
  const read = (frame: Uint8Array): ServerMessage => {
    const content = contentOf(frame.subarray(0, -2));
    const type = device.read(content);
    if (type === 'acknowledged') return { type, reports: 1 };
    return type === 'command' ? { type, text: content, frame } : { type };
  };
  const { heartbeat, answer } = device;
  return {
    fixesPerReport: 1,
    acknowledges,
    report: ([fix], deviceId, serial) => write(device.report(fix!, deviceId, serial)),
    ...(heartbeat && { heartbeat: (deviceId: string) => write(heartbeat(deviceId)) }),
    ...(answer && { answer: (_, outcome, deviceId) => write(answer(deviceId, outcome)) }),
    read: readUntil(LF, read),
  };
}

/** The variable of a grammar that holds the id of the device, for `decodeGrammar`. */
export const DEVICE_ID = 'id';

/** `decode` of messages that a grammar matches: each names its device in the variable `DEVICE_ID`, and is a position. */
export const decodeGrammar =
  <State>(match: Grammar) =>
  (frame: Uint8Array, { state }: DecodeContext<State>): Decoded<State> => {
    const record = new TextRecord();
    if (match(toLatin1(frame), record) < 0) throw new CodecError('bad-text', 'the fields are in no known order');
    const login = { type: 'login', ids: [String(record.variables[DEVICE_ID])] } as const;
    return { state, messages: [login, record.toPosition()], replies: [] };
  };
