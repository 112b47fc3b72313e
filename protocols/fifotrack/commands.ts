import { type CommandDefinition, textParameter } from '#codec';
import { say } from './decode.ts';
import type { FifotrackState } from './frame.ts';

/** Source: protocol document, commands of the server. */
export const commands: Readonly<Record<string, CommandDefinition<FifotrackState>>> = {
  requestPhoto: {
    title: 'Take a photo',
    params: {},
    repeatable: true,
    encode: (_, { deviceId }) => say(deviceId, '1,D05,3'),
  },
  custom: {
    title: 'Text behind the id and a counter',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: (params, { deviceId }) => say(deviceId, `1,${textParameter(params, 'data', 1_000)}`),
  },
};

/** C01 and C02 switch outputs. */
export const dangerous: readonly RegExp[] = [/^\s{0,4}C0[12],/i];
