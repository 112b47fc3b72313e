import { type CommandDefinition, customCommand, NOT_REPEATABLE, privilegedWords, textCommand } from '#codec';

/** The relay of the unit is its first output. */
const relay = (title: string, word: 'SET' | 'CLR'): CommandDefinition<undefined> =>
  textCommand<undefined>(title, `@${word}#RLP,OP1,`, NOT_REPEATABLE);

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: relay('Stop the engine', 'SET'),
  engineResume: relay('Let the engine run again', 'CLR'),
  custom: customCommand<undefined>('Text as it is, such as GET UR or SET UR:10'),
};

/** Relay, addresses and ports of the servers, APN, names of maker and vehicle. Source: Startek, VT140 protocol 1.0, 3. */
export const privileged: readonly RegExp[] = [
  ...privilegedWords(),
  /#RLP|(?:SET|CLR)\s{1,4}(?:PIP|PPT|SIP|SPT|APN|VID|VN|EO)\b/i,
];
