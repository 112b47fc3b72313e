import { type CommandDefinition, customCommand, privilegedWords, wholeMessage } from '#codec';
import type { WatchState } from './files.ts';

export const commands: Readonly<Record<string, CommandDefinition<WatchState>>> = {
  custom: customCommand('A whole message, such as TRVBP16#', wholeMessage('#')),
};

/** A number says what a message does: cut the engine, restart, another server. */
export const privileged: readonly RegExp[] = [...privilegedWords(), /(?:TRV|IW)[BDZ]P/];
/** IW: BP17 resets, BP18 restarts, BP31 turns off. */
export const sessionEnding: readonly RegExp[] = [/(?:TRV|IW)BP(?:17|18|31)/];
