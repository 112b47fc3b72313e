export type { Command, Conditions, HistoryLine, NewCommand, Params } from './command.ts';
export { type CommandCounts, readCommandCounts } from './counts/store.ts';
export { DispatchEngine, type EngineDeps, type Enqueued, OPEN_COMMANDS } from './engine.ts';
export { type CommandEvent, type Correlation, commandEventTypes, type DeviceEvent, type Step } from './ledger.ts';
export { type Asker, cancel, flush, type Rearming, rearm } from './wishes.ts';
