import { CodecError, type CommandDefinition, type EncodeContext, fromLatin1 } from '#codec';

type Context = EncodeContext<undefined>;

const MAX_TICKET = 0xfffe;
const NO_TICKET = 'FFFF';

/** The serial of a command: four hex digits that the device repeats. `FFFF` where there is no ticket (0). */
function serialOf(ticket: string): string {
  const number = /^\d{1,5}$/.test(ticket) ? Number(ticket) : 0;
  return number >= 1 && number <= MAX_TICKET ? number.toString(16).toUpperCase().padStart(4, '0') : NO_TICKET;
}

/** The ticket behind a serial; undefined if the text is no serial. */
export function ticketOf(serial: string): string | undefined {
  if (!/^[0-9A-Fa-f]{4}$/.test(serial)) return undefined;
  return serial.toUpperCase() === NO_TICKET ? '0' : String(Number.parseInt(serial, 16));
}

const password = ({ options }: Context): string => {
  const value = options['password'] ?? '';
  return typeof value === 'string' ? value : String(value);
};

const plain = (title: string, repeatable: boolean, name: string, args: string): CommandDefinition<undefined> => ({
  title,
  params: {},
  repeatable,
  encode: (_, context) => fromLatin1(`AT+GT${name}=${password(context)},${args},${serialOf(context.ticket)}$`),
});

const SERIAL_AT_END = /,[0-9A-Fa-f]{4}\$$/;

/** Source: @Track Air Interface Protocol, commands GTRTO (real time operation) and GTOUT (outputs). */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  positionSingle: plain('Ask for the position', true, 'RTO', '1,,,,,'),
  engineStop: plain('Cut fuel or power (output 1 on)', false, 'OUT', '1,,,0,0,0,0,0,0,0,,,,,,'),
  engineResume: plain('Restore fuel or power (output 1 off)', false, 'OUT', '0,,,0,0,0,0,0,0,0,,,,,,'),
  deviceIdentification: plain('Ask what the device is', true, 'RTO', '8,,,,,'),
  rebootDevice: { ...plain('Restart the device', false, 'RTO', '3,,,,,'), endsSession: true },
  custom: {
    title: 'Text as it is; a serial at its end becomes the one by which the answer is known',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: ({ data }, { ticket }) => {
      if (typeof data !== 'string' || data === '') throw new CodecError('bad-parameter', 'data is the text to send');
      const serial = serialOf(ticket);
      return fromLatin1(serial === NO_TICKET ? data : data.replace(SERIAL_AT_END, () => `,${serial}$`));
    },
  },
};

/** Outputs; server and APN (SRI, QSS, BSI); firmware; GTRTO 3 restarts, 4 erases and resets. */
export const privileged: readonly RegExp[] = [
  /AT\+GT(?:OUT|DOS|SRI|QSS|BSI|UP[CD]|NTS|CMD|UDF|CFG|PIN|WLT|DOG)=/i,
  // 0, 1, 2, 6 to 9, E and F read; 3 restarts, 4 resets, 5 (A of a GT300) powers off, others delete or are not known
  /AT\+GTRTO=[^,]{0,64},\s{0,4}(?!0{0,3}[0126-9EF]?\s{0,4},)/i,
];

/** GTRTO 3 restarts, 4 erases and resets; GTUPD loads firmware. */
export const sessionEnding: readonly RegExp[] = [/AT\+GTRTO=[^,]{0,64},\s{0,4}(?:0x)?[34]\s{0,4},/i, /AT\+GTUPD=/i];
