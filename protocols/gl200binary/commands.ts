import { CodecError, type CommandDefinition, customCommand } from '#codec';

/** The same text as in the text form of the protocol. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: customCommand('An AT+GT… command, with its $', (data) => {
    // What has no end is never read by the device.
    if (!data.trimEnd().endsWith('$')) throw new CodecError('bad-parameter', 'a command ends in $');
    return data;
  }),
};

/** Outputs. */
export const privileged: readonly RegExp[] = [/AT\+GTOUT=/i];
