import {
  type CommandDefinition,
  type CommandParameter,
  fromHex,
  fromLatin1,
  integerParameter,
  isHex,
  privilegedWords,
  textParameter,
  Writer,
} from '#codec';
import type { State } from './decode.ts';
import { packet } from './packet.ts';

type Command = CommandDefinition<State>;

const TEXT = 108;
const MAX_TEXT_CHARS = 1_000;
const MAX_U32 = 0xffff_ffff;

const words = (title: string, text: string): Command => ({
  title,
  params: {},
  repeatable: false,
  encode: () => packet(TEXT, fromLatin1(text)),
});

const plain = (title: string, command: number, data: Uint8Array): Command => ({
  title,
  params: {},
  repeatable: true,
  encode: () => packet(command, data),
});

const parameter = (type: CommandParameter['type'], title: string): CommandParameter => ({
  type,
  title,
  required: true,
});

/** Vendor's protocol, "server commands": the command is 100 + n, its answer n. */
export const commands: Readonly<Record<string, Command>> = {
  custom: {
    title: 'Text as an SMS would have it; pairs of hex digits are sent as they are',
    params: { data: parameter('string', 'Text, or a whole packet in hex') },
    repeatable: true,
    encode: (params) => {
      const data = textParameter(params, 'data', 2 * MAX_TEXT_CHARS);
      return isHex(data) ? fromHex(data) : packet(TEXT, fromLatin1(textParameter(params, 'data', MAX_TEXT_CHARS)));
    },
  },
  engineStop: words('Block the engine, with ten seconds of warning', 'pass immobilizer 10'),
  engineResume: words('Release the engine', 'pass resetimmob'),
  requestPhoto: plain('Ask for the newest photo', 137, Uint8Array.of(1, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff)),
  configuration: {
    title: 'A line of configuration',
    params: { data: parameter('string', 'The line, without its end') },
    repeatable: true,
    encode: (params) => packet(102, fromLatin1(`${textParameter(params, 'data', MAX_TEXT_CHARS)}\r\n`)),
  },
  getVersion: plain('Ask for the versions', 103, new Uint8Array(0)),
  firmwareUpdate: {
    ...plain('Begin an update of the firmware', 104, fromLatin1('|FU_STRT*\r\n')),
    repeatable: false,
    endsSession: true,
  },
  setConnection: {
    title: 'Connect elsewhere (TCP)',
    params: { server: parameter('string', 'Name or address'), port: parameter('number', 'Port') },
    repeatable: true,
    encode: (params) => {
      const server = textParameter(params, 'server', 100);
      return packet(105, fromLatin1(`${server},${integerParameter(params, 'port', 1, 65_535)},TCP`));
    },
  },
  setOdometer: {
    title: 'Set the odometer',
    params: { data: parameter('number', 'Metres') },
    repeatable: true,
    encode: (params) => packet(106, new Writer(4).u32(integerParameter(params, 'data', 0, MAX_U32)).finish()),
  },
  outputControl: {
    title: 'Set an output',
    params: { index: parameter('number', 'Output'), data: parameter('number', '1 on, 0 off') },
    repeatable: false,
    encode: (params) => {
      const index = integerParameter(params, 'index', 0, MAX_U32);
      return packet(
        117,
        new Writer(8)
          .u32(index)
          .u32(integerParameter(params, 'data', 0, MAX_U32))
          .finish(),
      );
    },
  },
};

/** Immobilizer and outputs, as text or as a packet in hex: configuration (102), firmware (104), connection (105), outputs (117). */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /setio|setcfg|(?:^|[^a-z])connect\b/i,
  /^(?:..)*?00..(?:66|68|69|75)/i,
];
