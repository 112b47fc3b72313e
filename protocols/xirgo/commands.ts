import {
  type CommandDefinition,
  customCommand,
  integerParameter,
  privilegedWords,
  textCommand,
  unescapeLineEnds,
} from '#codec';
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

/** Outputs and restart (7…), server and APN (1…). */
export const privileged: readonly RegExp[] = [...privilegedWords(), /\+XT:\s{0,4}(?:1\d{3}|7\d{3}|9\d{3})/i];
