export type { Command, HistoryLine } from './command.ts';
export { type CommandCounts, readCommandCounts } from './counts/store.ts';
export { DispatchEngine, type EngineDeps } from './engine.ts';
export { type CommandEvent, type Correlation, commandEventTypes, type DeviceEvent, type Step } from './unit-of-work.ts';
export { cancel, flush, rearm } from './user-requests.ts';
