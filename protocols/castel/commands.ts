import { bytesCommand, CodecError, type CommandDefinition, fromLatin1 } from '#codec';
import { ID_BYTES, seal } from './frame.ts';

const ENGINE = 0x4583;
const VERSION = 1;

function paddedId(deviceId: string): Uint8Array {
  if (deviceId.length > ID_BYTES) throw new CodecError('bad-parameter', `${deviceId} is longer than ${ID_BYTES}`);
  const id = new Uint8Array(ID_BYTES);
  id.set(fromLatin1(deviceId));
  return id;
}

const engine = (title: string, value: number, repeatable: boolean): CommandDefinition<undefined> => ({
  title,
  params: {},
  repeatable,
  encode: (_params, { deviceId }) => seal(VERSION, paddedId(deviceId), ENGINE, Uint8Array.of(value)),
});

/** Source: protocol document, remote control 4583. */
export const commands: Readonly<Record<string, CommandDefinition<undefined>>> = {
  engineStop: engine('Cut fuel', 1, false),
  engineResume: engine('Restore fuel', 0, true),
  custom: bytesCommand('A whole message'),
};

/** Whole messages: remote control (4583), settings with the server (2001), firmware. */
export const privileged: readonly RegExp[] = [/^(?:4040|2424)/i];
