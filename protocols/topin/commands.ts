import { bytesCommand, type CommandDefinition, EVERY_MESSAGE, fromLatin1, textParameter, Writer } from '#codec';

const SOS_NUMBER = 0x41;

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
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
  custom: bytesCommand('A whole message'),
};

/** What a message does is not known from its bytes. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;
