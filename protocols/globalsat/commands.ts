import {
  type CommandDefinition,
  CUSTOM_TEXT,
  fromLatin1,
  integerPlaceholder,
  privilegedWords,
  textPlaceholder,
  wrapWith,
  xor8,
} from '#codec';
import { hexByte } from '#codec/text';

const command = wrapWith<undefined>((text, { deviceId }) => {
  const content = `GSC,${deviceId},${text}`;
  return `${content}*${hexByte(xor8(fromLatin1(content)))}!`;
});

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  alarmDismiss: command('Dismiss the alarm', 'Na'),
  outputControl: command('Switch an output', 'Lo({index},{data})', {
    repeatable: false,
    placeholders: { index: integerPlaceholder('Output', 1, 8), data: textPlaceholder('0 or 1', 10) },
  }),
  custom: command('Command without head and checksum, such as N1', '{data}', CUSTOM_TEXT),
};

/** Lo switches outputs, LH restarts. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /GSC,[^,]{0,24},.{0,12}L[oH]/];
export const sessionEnding: readonly RegExp[] = [/GSC,[^,]{0,24},.{0,12}LH/];
