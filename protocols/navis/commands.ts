import { type CommandDefinition, fromLatin1, privilegedWords, textParameter, Writer } from '#codec';
import { seal } from './decode.ts';
import type { State } from './state.ts';

const MAX_TEXT_CHARS = 1_000;
/** as of a request that came to sender 0 from receiver 1 */
const HEAD = new Writer(16).latin1('@NTC').u32LE(1).u32LE(0).u32LE(0).finish();

/** Source: NTCB 6.2, commands as text behind *! and *?. */
export const commands: Readonly<Record<string, CommandDefinition<State>>> = {
  custom: {
    title: 'Text, such as *?A or *!1Y',
    params: { data: { type: 'string', title: 'Text', required: true } },
    repeatable: true,
    encode: (params) => seal(HEAD, fromLatin1(textParameter(params, 'data', MAX_TEXT_CHARS))),
  },
};

/** *! acts (outputs, restart, settings of the servers), *? asks. */
export const privileged: readonly RegExp[] = [/\*!/, ...privilegedWords()];
