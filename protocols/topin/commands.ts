import {
  bytesCommand,
  type CommandDefinition,
  EVERY_MESSAGE,
  fromLatin1,
  integerParameter,
  textParameter,
  Writer,
} from '#codec';
import type { TopinState } from './decode.ts';
import { RECORDED } from './frame.ts';

const SOS_NUMBER = 0x41;

export const commands: Readonly<Record<string, CommandDefinition<TopinState>>> = {
  sosNumber: {
    title: 'Set the telephone number of the alarm button',
    params: { phone: { type: 'string', title: 'Telephone number', required: true } },
    repeatable: true,
    encode: (params) => {
      const phone = textParameter(params, 'phone', 20);
      const writer = new Writer().hex('7878').u8(1 + phone.length);
      return writer.u8(SOS_NUMBER).raw(fromLatin1(phone)).hex('0d0a').finish();
    },
  },
  recordAudio: {
    title: 'Record sound and send it',
    params: { seconds: { type: 'number', title: 'Seconds, 0 for the last recording once more', required: true } },
    repeatable: false,
    encode: (params) =>
      new Writer()
        .hex('7878')
        .u8(2)
        .u8(RECORDED)
        .u8(integerParameter(params, 'seconds', 0, 255))
        .hex('0d0a')
        .finish(),
  },
  custom: bytesCommand('A whole message'),
};

/** What a message does is not known from its bytes. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;
