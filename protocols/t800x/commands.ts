import { CodecError, type CommandDefinition, privilegedWords, textPlaceholder, Writer, wrapWith } from '#codec';
import type { State } from './packet.ts';

const IMEI = /^\d{15}$/;
const CONFIGURATION = 1;

const command = wrapWith<State>((text, { state, deviceId }) => {
  if (!IMEI.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI`);
  const head = new Writer(16 + text.length).u16(state.head).u8(0x81);
  const counted = head.u16(16 + text.length).u16(1);
  return counted.hex(`0${deviceId}`).u8(CONFIGURATION).latin1(text).finish();
});

/** Vendor's protocol, "configuration command" (81): text for the device. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: command('Text as the device takes it', '{data}', {
    placeholders: { data: textPlaceholder('Text, mostly ending with #') },
  }),
};

export const privileged: readonly RegExp[] = [...privilegedWords('\\x81.{13}')];
