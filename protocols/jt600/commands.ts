import {
  type CommandDefinition,
  customCommand,
  ENDS_SESSION,
  NOT_REPEATABLE,
  type Placeholder,
  privilegedWords,
  textCommand,
  textParameter,
  utcToZone,
  wholeMessage,
} from '#codec';

const MINUTE_MS = 60_000;

/** Minutes of a zone from UTC without daylight saving time: the lesser of those in January and July. */
const ZONE: Placeholder = {
  parameter: { type: 'string', title: 'Time zone', required: true },
  write: (params, name) => {
    const zone = textParameter(params, name, 40);
    const offsets = [0, 6].map((month) => utcToZone(Date.UTC(2024, month, 1), zone) - Date.UTC(2024, month, 1));
    return String(Math.min(...offsets) / MINUTE_MS);
  },
};

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: textCommand('Stop the engine', '(S07,0)', NOT_REPEATABLE),
  engineResume: textCommand('Let the engine start', '(S07,1)', NOT_REPEATABLE),
  setTimezone: textCommand('Set the time zone', '(S09,1,{timezone})', { placeholders: { timezone: ZONE } }),
  rebootDevice: textCommand('Restart the device', '(S17)', ENDS_SESSION),
  custom: customCommand('Text as it is, such as (P01)', wholeMessage(')')),
};

/** A number says what a message does: any of those that set something may open a lock or change the server. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /^\s*\([SP]\d\d,/, /\(S(?:07|17)/];

export const sessionEnding: readonly RegExp[] = [/\(S17\)/];
