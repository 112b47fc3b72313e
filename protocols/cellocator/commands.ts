import { bytesCommand, CodecError, type CommandDefinition, integerParameter, sum8, Writer } from '#codec';
import type { State } from './decode.ts';

const UNIT = /^\d{1,10}$/;

/** Generic command (0) of the vendor's protocol; for outputs code 03, the bits in its two data bytes. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: bytesCommand('A whole message'),
  outputControl: {
    title: 'Set an output',
    params: {
      index: { type: 'number', title: 'Output', required: true },
      data: { type: 'number', title: '1 on, 0 off', required: true },
    },
    repeatable: false,
    encode: (params, { deviceId }) => {
      const unit = UNIT.test(deviceId) ? Number(deviceId) : Number.NaN;
      if (!(unit <= 0xffff_ffff)) throw new CodecError('bad-parameter', `${deviceId} is no unit id`);
      const value = (integerParameter(params, 'data', 0, 15) << 4) + integerParameter(params, 'index', 0, 15);
      const writer = new Writer(25).latin1('MCGP').u8(0).u32LE(unit).u8(0).u32(0).u8(3).u8(3).u8(value).u8(value);
      writer.u16(0).u32(0);
      return writer.u8(sum8(writer.finish(), 4)).finish();
    },
  },
};

/** Every message but the acknowledgement (4): outputs, restart, programming, firmware. */
export const privileged: readonly RegExp[] = [/4d434750(?!04)/i];
