import { type CommandDefinition, CUSTOM_TEXT, wrapWith } from '#codec';
import { say } from './decode.ts';
import type { FifotrackState } from './frame.ts';

/** Behind the id stands a counter. */
const command = wrapWith<FifotrackState>((content, { deviceId }) => say(deviceId, `1,${content}`));

/** Source: protocol document, commands of the server. */
export const commands: Readonly<Record<string, CommandDefinition<FifotrackState>>> = {
  requestPhoto: command('Take a photo', 'D05,3'),
  custom: command('Text behind the id and a counter', '{data}', CUSTOM_TEXT),
};

/** C01 and C02 switch outputs. */
export const privileged: readonly RegExp[] = [/^\s{0,4}C0[12],/i];
