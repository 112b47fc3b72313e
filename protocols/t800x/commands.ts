import { CodecError, type CommandDefinition, textParameter, Writer } from '#codec';
import type { State } from './packet.ts';

const IMEI = /^\d{15}$/;
const LONGEST_TEXT = 1_000;
const CONFIGURATION = 1;

/** Vendor's protocol, "configuration command" (81): text for the device. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'Text as the device takes it',
    params: { data: { type: 'string', title: 'Text, mostly ending with #', required: true } },
    repeatable: true,
    encode: (params, { state, deviceId }) => {
      const text = textParameter(params, 'data', LONGEST_TEXT);
      if (!IMEI.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no IMEI`);
      const writer = new Writer(16 + text.length)
        .u16(state.head)
        .u8(0x81)
        .u16(16 + text.length)
        .u16(1);
      return writer.hex(`0${deviceId}`).u8(CONFIGURATION).latin1(text).finish();
    },
  },
};

export const dangerous: readonly RegExp[] = [/^\s*(?:relay|drelay|output?)\b/i];
