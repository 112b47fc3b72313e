import {
  bytesCommand,
  bytesParameter,
  CodecError,
  type CommandDefinition,
  privilegedWords,
  textParameter,
  Writer,
} from '#codec';
import { seal } from './frame.ts';

const INDEX = 1;
const MAX_BYTES = 1_000;
const MAX_URL_CHARS = 200;
const FIRMWARE_MODEL = 'nano';

/** Source: protocol document, configuration (02) and system control (04). */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  configuration: {
    title: 'Read all settings, or write some',
    params: { data: { type: 'string', title: 'Elements in hex; without them all settings are asked for' } },
    repeatable: true,
    encode: (params) => {
      const isRead = params['data'] === undefined || params['data'] === '';
      const elements = isRead ? Uint8Array.of(1, 0xf0) : bytesParameter(params, 'data', MAX_BYTES);
      return seal(INDEX, new Writer().u8(2).raw(elements).finish());
    },
  },
  firmwareUpdate: {
    title: 'Fetch firmware (Nano)',
    params: { data: { type: 'string', title: 'URL', required: true } },
    repeatable: false,
    endsSession: true,
    encode: (params, { options }) => {
      if (String(options['model'] ?? '').toLowerCase() !== FIRMWARE_MODEL) {
        throw new CodecError('unsupported-command', 'only the model Nano fetches firmware');
      }
      const url = textParameter(params, 'data', MAX_URL_CHARS);
      return seal(
        INDEX,
        new Writer()
          .u8(4)
          .u8(url.length + 1)
          .u8(0x30)
          .latin1(url)
          .finish(),
      );
    },
  },
  custom: bytesCommand('A whole message'),
};

/** System control: restart, factory settings, firmware. Writing settings, among which are the servers. */
export const privileged: readonly RegExp[] = [
  /^(?:..)*?ab.{14}04/i,
  /^(?:..)*?ab.{14}02(?!01f0)/i,
  ...privilegedWords(),
];
