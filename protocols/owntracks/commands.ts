import { customCommand, textCommand } from '#codec';

/** An answer is an array of messages (booklet, "HTTP"); `cmd` asks the app to do something (booklet, "JSON", cmd). */
export const commands = {
  positionSingle: textCommand<undefined>('Report the location', '[{"_type":"cmd","action":"reportLocation"}]'),
  custom: customCommand<undefined>('A JSON array of messages for the app'),
};
