import {
  type CommandDefinition,
  CUSTOM_TEXT,
  ENDS_SESSION,
  fromLatin1,
  integerPlaceholder,
  privilegedWords,
  toLatin1,
  wrapWith,
} from '#codec';
import { COMMAND } from './decode.ts';
import { write } from './frame.ts';

const command = wrapWith<undefined>((text, { deviceId }) =>
  toLatin1(write({ type: COMMAND, index: 1, id: deviceId }, fromLatin1(text))),
);

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  positionPeriodic: command('Report at intervals', 'tracking_send={frequency},{frequency}', {
    placeholders: { frequency: integerPlaceholder('Seconds', 1, 86_400) },
  }),
  powerOff: command('Switch off', 'of=1', ENDS_SESSION),
  rebootDevice: command('Restart', 'reset', ENDS_SESSION),
  custom: command('Text of a command', '{data}', CUSTOM_TEXT),
};

/** The text follows head and checksum of the frame. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /of\s{0,4}=/i];
export const sessionEnding: readonly RegExp[] = [/(?:^|[^a-z])(?:reset|of\s{0,4}=\s{0,4}1)/i];
