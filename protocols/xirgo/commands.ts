import { type CommandDefinition, customCommand, integerParameter, textCommand, unescapeLineEnds } from '#codec';
import type { State } from './decode.ts';

/** Source: vendor’s command 7005, outputs. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  outputControl: textCommand<State>(
    'Switch the output',
    (_context, params) => `+XT:7005,${integerParameter(params, 'data', 0, 9) + 1},1`,
    {
      repeatable: false,
      params: {
        data: { type: 'number', title: '1 on, 0 off', required: true },
        index: { type: 'number', title: 'Output; devices have one' },
      },
    },
  ),
  custom: customCommand<State>('Text; \\r and \\n stand for line ends', unescapeLineEnds),
};

export const privileged: readonly RegExp[] = [/\+XT:7005/i];
