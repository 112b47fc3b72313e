import {
  type EncodeContext,
  NOT_REPEATABLE,
  privilegedWords,
  textParameter,
  textPlaceholder,
  ticketNumber,
  Writer,
  wrapWith,
} from '#codec';
import { encodeFrame, type State } from './packet.ts';
import { modelSetOf } from './variant-of.ts';

type Context = EncodeContext<State>;

const COMMAND = 0x80;
/** the short form's text, as the vendor has it */
const MAX_SHORT_TEXT_CHARS = 200;
/** what a one-byte length of flag and text leaves for the text */
const MAX_TEXT_CHARS = 251;
const LANGUAGE_ENGLISH = 2;
const MAX_FLAG = 0xffff_ffff;

/**
 * Online command: length, server flag, text and, by the option `language`, the language. The server flag is the
 * ticket, which the device puts into its answer.
 */
const command = wrapWith<State>((text, { ticket, options }) => {
  const content = new Writer(8 + text.length)
    .u8(4 + text.length)
    .u32(ticketNumber(ticket, MAX_FLAG))
    .latin1(text);
  if (options['language'] === true) content.u16(LANGUAGE_ENGLISH);
  return encodeFrame(COMMAND, content.finish(), 0, text.length > MAX_SHORT_TEXT_CHARS);
});

const DEFAULT_PASSWORD = '123456';
const MAX_PASSWORD_CHARS = 20;

/** G109, and devices with the option `alternative`, have words of their own; the latter want a password too. */
const engine =
  (usual: string, alternative: string) =>
  ({ options }: Context): string => {
    if (modelSetOf(options['model']) === 'G109') return `${alternative}#`;
    if (options['alternative'] !== true) return usual;
    const password = options['password'] ?? DEFAULT_PASSWORD;
    return `${alternative},${textParameter({ password }, 'password', MAX_PASSWORD_CHARS)}#`;
  };

/** Vendor's protocol, "online command" (80); texts from the vendor's list of commands. */
export const commands = {
  engineStop: command('Cut off fuel and electricity', engine('Relay,1#', 'DYD'), NOT_REPEATABLE),
  engineResume: command('Restore fuel and electricity', engine('Relay,0#', 'HFYD'), NOT_REPEATABLE),
  custom: command('Text as the device takes it', '{data}', {
    placeholders: { data: textPlaceholder('Text, mostly ending with #', MAX_TEXT_CHARS) },
  }),
};

/** Relay and outputs, restart, factory settings, server, APN, firmware, by whichever words. */
export const privileged: readonly RegExp[] = [...privilegedWords('(?:xx.|yy..)\\x80.{5}')];
