import { CodecError, type CommandDefinition, customCommand } from '#codec';

/** The same text as in the text form of the protocol. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('An AT+GT… command, with its $', (data) => {
    // What has no end is never read by the device.
    if (!data.trimEnd().endsWith('$')) throw new CodecError('bad-parameter', 'a command ends in $');
    return data;
  }),
};

/** Outputs; server and APN (SRI, QSS, BSI); firmware; GTRTO 3 restarts, 4 erases and resets. */
export const privileged: readonly RegExp[] = [
  /AT\+GT(?:OUT|DOS|SRI|QSS|BSI|UP[CD]|NTS|CMD|UDF|CFG|PIN|WLT|DOG)=/i,
  // 0, 1, 2, 6 to 9, E and F read; 3 restarts, 4 resets, 5 (A of a GT300) powers off, others delete or are not known
  /AT\+GTRTO=[^,]{0,64},\s{0,4}(?!0{0,3}[0126-9EF]?\s{0,4},)/i,
];

/** GTRTO 3 restarts, 4 erases and resets; GTUPD loads firmware. */
export const sessionEnding: readonly RegExp[] = [/AT\+GTRTO=[^,]{0,64},\s{0,4}(?:0x)?[34]\s{0,4},/i, /AT\+GTUPD=/i];
