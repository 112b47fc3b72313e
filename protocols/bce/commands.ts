import { bytesCommand, type CommandDefinition, EVERY_MESSAGE, integerParameter, sum8, Writer } from '#codec';

const CHANNELS = [0x0a, 0x0b] as const;

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  custom: bytesCommand('A whole message'),
  outputControl: {
    title: 'Switch an output',
    params: {
      index: { type: 'number', title: 'Number of the output, from 1', required: true },
      data: { type: 'boolean', title: 'On or off', required: true },
    },
    repeatable: false,
    encode(params, { deviceId }) {
      const channel = integerParameter(params, 'index', 1, 2);
      const isOn = Number(params['data'] === true ? 1 : (params['data'] ?? 0)) > 0;
      const writer = new Writer(17).u64LE(BigInt(deviceId)).u16LE(6).u8(0x41);
      writer
        .u8(CHANNELS[channel - 1]!)
        .u8(0xff)
        .u8(0)
        .u8(isOn ? 0x55 : 0)
        .u8(0);
      return writer.u8(sum8(writer.finish())).finish();
    },
  },
};

/** What a message does is not known from its bytes. */
export const privileged: readonly RegExp[] = EVERY_MESSAGE;
