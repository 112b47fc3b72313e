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
import { Draft } from '../draft.ts';
import { CodecError } from '../errors.ts';
import { type Packets, type PacketTable, packets } from '../framing/packets.ts';
import type { Message, Position } from '../messages.ts';
import { type CommandModule, mapValues, type StreamFacts, streamProtocol } from '../protocol.ts';
import { type Reader, toLatin1 } from '../reader.ts';
import { readLengthPrefixed } from '../simulator.ts';
import type { Writer } from '../writer.ts';
import type { Layout } from './scope.ts';

/** What is known of the device of a connection. */
export interface PacketState {
  readonly deviceId?: string;
}

/** What the body of a packet means. Throws CodecError. */
export type PacketHandler = (body: Reader, context: DecodeContext<PacketState>) => readonly Message[];

type Content = readonly [type: number, body?: Writer];

/** The device's side; marks, length and checksum of its packets are added. */
export interface PacketSimulator {
  login?(deviceId: string): Content;
  report(fix: SimulatedFix, deviceId: string, serial: number): Content;
  heartbeat?(deviceId: string): Content;
  answer?(outcome: 'done' | 'refused', deviceId: string): Content;
  /** what a packet of the server is */
  read(type: number, body: Reader): 'admitted' | 'acknowledged' | 'refused' | 'command' | 'other';
}

/** Packets with a type each; the first of a connection names the device. */
export interface PacketProtocol extends Omit<StreamFacts<PacketState>, 'initialState'>, CommandModule<PacketState> {
  readonly packets: PacketTable;
  /** by type */
  readonly messages: Readonly<Record<number, PacketHandler>>;
  /** Type and body of an acknowledgement by the type of the packet; undefined: nothing is sent. */
  readonly acknowledge?: (type: number) => readonly [type: number, ...body: number[]] | undefined;
  /** the packet that rejects a device: type and body */
  readonly reject?: readonly [type: number, ...body: number[]];
  /** type of the packets that hold the text of a command */
  readonly commandType: number;
  readonly simulator: PacketSimulator;
}

type Command = CommandDefinition<PacketState>;

/** A protocol of packets from its tables. */
export function packetProtocol(table: PacketProtocol): StreamProtocol<PacketState> {
  const { packets: form, messages, acknowledge, reject, ...others } = table;
  const { commands, privileged = [], commandType, simulator, ...facts } = others;
  const framing = packets(form);
  const wrap = (command: Command): Command => ({
    ...command,
    encode: (params, context) => framing.write(commandType, command.encode(params, context)),
  });
  const write = ([type, ...body]: readonly [number, ...number[]]): Uint8Array =>
    framing.write(type, Uint8Array.from(body));
  const refused: readonly Reply[] = reject === undefined ? [] : [{ when: 'refused', bytes: write(reject) }];
  const decode = (frame: Uint8Array, context: DecodeContext<PacketState>): Decoded<PacketState> => {
    const type = framing.typeOf(frame);
    const handler = messages[type];
    if (handler === undefined) throw new CodecError('unknown-type', `packet of type ${type}`, framing.head);
    const found = handler(framing.bodyOf(frame), context);
    const login = found.find((message) => message.type === 'login');
    const content = acknowledge?.(type);
    const stored: readonly Reply[] = content === undefined ? [] : [{ when: 'stored', bytes: write(content) }];
    const deviceId = login?.ids[0];
    return {
      state: deviceId === undefined ? context.state : { deviceId },
      messages: found,
      replies: login === undefined ? stored : [...stored, ...refused],
    };
  };
  return streamProtocol<PacketState>(
    { ...facts, initialState: (deviceId) => (deviceId === undefined ? {} : { deviceId }) },
    {
      framing,
      decoding: { decode },
      commanding: { commands: mapValues(commands, wrap), privileged },
      simulator: simulatorOf(simulator, framing, acknowledge !== undefined),
    },
  );
}

/** The position that a layout reads. Throws CodecError `truncated` where the body ends early. */
export function readPosition(layout: Layout, body: Reader): Position {
  const draft = new Draft();
  layout(body, draft);
  return draft.toPosition();
}

function simulatorOf(device: PacketSimulator, framing: Packets, acknowledges: boolean): Simulator {
  const write = ([type, body]: Content): Uint8Array => framing.write(type, body?.finish());
  const read = (frame: Uint8Array): ServerMessage => {
    const type = device.read(framing.typeOf(frame), framing.bodyOf(frame));
    if (type === 'acknowledged') return { type, reports: 1 };
    if (type !== 'command') return { type };
    return { type, text: toLatin1(frame, framing.head + 1, frame.length - (framing.overhead - framing.head)), frame };
  };
  const { login, heartbeat, answer } = device;
  return {
    fixesPerReport: 1,
    acknowledges,
    ...(login && { login: (deviceId: string) => write(login(deviceId)) }),
    report: ([fix], deviceId, serial) => write(device.report(fix!, deviceId, serial)),
    ...(heartbeat && { heartbeat: (deviceId: string) => write(heartbeat(deviceId)) }),
    ...(answer && { answer: (_, outcome, deviceId) => write(answer(outcome, deviceId)) }),
    read: readLengthPrefixed(framing.head, framing.sizeOf, read),
  };
}
