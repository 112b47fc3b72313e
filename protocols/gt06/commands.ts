import { CodecError, type CommandDefinition, type EncodeContext, Writer } from '#codec';
import { encodeFrame, type State } from './packet.ts';
import { modelSetOf } from './variant-of.ts';

type Context = EncodeContext<State>;

const COMMAND = 0x80;
/** the short form's text, as the vendor has it */
const LONGEST_SHORT_TEXT = 200;
/** what a one-byte length of flag and text leaves for the text */
const LONGEST_TEXT = 251;
const LANGUAGE_ENGLISH = 2;
const PRINTABLE = /^[\x20-\x7e\r\n\t]+$/;
const TICKET = /^\d{1,10}$/;

/** The server flag, which the device puts into its answer. */
function serverFlag(ticket: string): number {
  const flag = TICKET.test(ticket) ? Number(ticket) : Number.NaN;
  if (!(flag <= 0xffff_ffff)) throw new CodecError('bad-parameter', 'a ticket is a number of 32 bits');
  return flag;
}

/** Online command (80): length, server flag, text and, by the option `language`, the language. */
function encodeText(text: string, { ticket, options }: Context): Uint8Array {
  if (!PRINTABLE.test(text)) throw new CodecError('bad-parameter', 'data is not plain ASCII text');
  if (text.length > LONGEST_TEXT)
    throw new CodecError('bad-parameter', `data is longer than ${LONGEST_TEXT} characters`);
  const content = new Writer(8 + text.length)
    .u8(4 + text.length)
    .u32(serverFlag(ticket))
    .latin1(text);
  if (options['language'] === true) content.u16(LANGUAGE_ENGLISH);
  return encodeFrame(COMMAND, content.finish(), 0, text.length > LONGEST_SHORT_TEXT);
}

/** Text of a command for the model; G109 and devices with the option `alternative` have words of their own. */
interface Wording {
  readonly usual: string;
  readonly alternative: string;
}

const ENGINE_STOP: Wording = { usual: 'Relay,1#', alternative: 'DYD' };
const ENGINE_RESUME: Wording = { usual: 'Relay,0#', alternative: 'HFYD' };
const DEFAULT_PASSWORD = '123456';

function wordsFor({ usual, alternative }: Wording, options: Context['options']): string {
  if (modelSetOf(options['model']) === 'G109') return `${alternative}#`;
  return options['alternative'] === true ? `${alternative},${options['password'] ?? DEFAULT_PASSWORD}#` : usual;
}

/** Vendor's protocol, "online command" (80); texts from the vendor's list of commands. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  engineStop: {
    title: 'Cut off fuel and electricity',
    params: {},
    repeatable: false,
    encode: (_, context) => encodeText(wordsFor(ENGINE_STOP, context.options), context),
  },
  engineResume: {
    title: 'Restore fuel and electricity',
    params: {},
    repeatable: false,
    encode: (_, context) => encodeText(wordsFor(ENGINE_RESUME, context.options), context),
  },
  custom: {
    title: 'Text as the device takes it',
    params: { data: { type: 'string', title: 'Text, mostly ending with #', required: true } },
    repeatable: true,
    encode: ({ data }, context) => {
      if (data === undefined) throw new CodecError('bad-parameter', 'data is missing');
      return encodeText(String(data), context);
    },
  },
};

/** Relay and outputs, by whichever words, with or without a password before them. */
export const dangerous: readonly RegExp[] = [/(?:^|[^a-z])(?:relay|dyd|hfyd|out\d?)(?![a-z])/i];
