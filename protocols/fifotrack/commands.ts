import { type CommandDefinition, CUSTOM_TEXT, privilegedWords, wrapWith } from '#codec';
import { say } from './decode.ts';
import type { FifotrackState } from './frame.ts';

/** Behind the id stands a counter. */
const command = wrapWith<FifotrackState>((content, { deviceId }) => say(deviceId, `1,${content}`));

/** Source: protocol document, commands of the server. */
export const commands: Readonly<Record<string, CommandDefinition<FifotrackState>>> = {
  requestPhoto: command('Take a photo', 'D05,3'),
  custom: command('Text behind the id and a counter', '{data}', CUSTOM_TEXT),
};

/** C01 and C02 switch outputs, B01 and its neighbours set server and APN, F01 and its neighbours restart and update. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /(?:^|,)\s{0,4}(?:B0\d|C0[12]|E0\d|F\d\d|FC\d),?/i];
