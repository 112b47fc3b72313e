import {
  binaryCommand,
  bytesCommand,
  CodecError,
  type CommandDefinition,
  type EncodeContext,
  numberBodyField,
  Writer,
  xor8,
} from '#codec';
import { terminalBytes } from './identity.ts';

/** eleven digits of a terminal, or an IMEI */
const DEVICE_ID = /^\d{11,15}$/;

/** Marks, type, length, terminal, content, XOR, end. */
const message =
  (type: number) =>
  (content: Uint8Array, { deviceId }: EncodeContext<undefined>): Uint8Array => {
    if (!DEVICE_ID.test(deviceId)) throw new CodecError('bad-parameter', `${deviceId} is no number of a terminal`);
    const writer = new Writer()
      .hex('2424')
      .u8(type)
      .u16(6 + content.length)
      .raw(terminalBytes(deviceId))
      .raw(content);
    return writer.u8(xor8(writer.finish())).u8(0x0d).finish();
  };

export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  positionSingle: binaryCommand('Report the position', message(0x30), []),
  engineStop: { ...binaryCommand<undefined>('Stop the engine', message(0x39), []), repeatable: false },
  engineResume: { ...binaryCommand<undefined>('Let the engine start', message(0x38), []), repeatable: false },
  setSpeedLimit: binaryCommand('Set the speed limit', message(0x6b), [numberBodyField('data', 'km/h', 'u8', [0, 255])]),
  setOdometer: binaryCommand('Set the odometer', message(0x3f), [numberBodyField('data', 'km', 'u16', [0, 65_535])]),
  custom: bytesCommand('A whole message'),
};

/** Every message but the acknowledgement (21), the request for a position (30) and limits (6B, 3F). */
export const privileged: readonly RegExp[] = [/2424(?!21|30|6b|3f)/i];
