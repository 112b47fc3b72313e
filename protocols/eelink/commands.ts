import {
  CodecError,
  type CommandDefinition,
  ENDS_SESSION,
  fromLatin1,
  NOT_REPEATABLE,
  privilegedWords,
  textPlaceholder,
  ticketNumber,
  Writer,
  wrapWith,
} from '#codec';
import type { State } from './decode.ts';
import { encodePackage, wrap } from './frame.ts';

const COMMAND = 0x80;
const KIND_COMMAND = 1;
const IMEI = /^\d{15}$/;

/** Package 80: kind, number of the server, text. */
const command = wrapWith<State>((text, { state, deviceId, ticket }) => {
  const content = new Writer(5 + text.length).u8(KIND_COMMAND).u32(ticketNumber(ticket, 0xffff_ffff));
  const bytes = encodePackage(COMMAND, 0, content.raw(fromLatin1(text)).finish());
  if (!state.isDatagram) return bytes;
  if (!IMEI.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI`);
  return wrap(bytes, deviceId);
});

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: command('Text as the device takes it', '{data}', {
    placeholders: { data: textPlaceholder('Text, mostly ending with #') },
  }),
  engineStop: command('Cut off the engine', 'RELAY,1#', NOT_REPEATABLE),
  engineResume: command('Let the engine run', 'RELAY,0#', NOT_REPEATABLE),
  positionSingle: command('Ask where the device is', 'WHERE#'),
  rebootDevice: command('Restart the device', 'RESET#', ENDS_SESSION),
};

export const privileged: readonly RegExp[] = [...privilegedWords('gg\\x80.{9}')];
