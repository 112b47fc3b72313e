import {
  CodecError,
  type CommandDefinition,
  fromLatin1,
  ONCE,
  sealedBy,
  textBlank,
  ticketNumber,
  Writer,
} from '#codec';
import type { State } from './decode.ts';
import { encodePackage, wrap } from './frame.ts';

const COMMAND = 0x80;
const KIND_COMMAND = 1;
const IMEI = /^\d{15}$/;

/** Package 80: kind, number of the server, text. */
const command = sealedBy<State>((text, { state, deviceId, ticket }) => {
  const content = new Writer(5 + text.length).u8(KIND_COMMAND).u32(ticketNumber(ticket, 0xffff_ffff));
  const bytes = encodePackage(COMMAND, 0, content.raw(fromLatin1(text)).finish());
  if (!state.isDatagram) return bytes;
  if (!IMEI.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI`);
  return wrap(bytes, deviceId);
});

export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: command('Text as the device takes it', '{data}', {
    blanks: { data: textBlank('Text, mostly ending with #') },
  }),
  engineStop: command('Cut off the engine', 'RELAY,1#', ONCE),
  engineResume: command('Let the engine run', 'RELAY,0#', ONCE),
  positionSingle: command('Ask where the device is', 'WHERE#'),
  rebootDevice: command('Begin anew', 'RESET#', ONCE),
};

export const dangerous: readonly RegExp[] = [/(?:^|[^a-z])(?:relay|out\d?|factory|reset)(?![a-z])/i];
