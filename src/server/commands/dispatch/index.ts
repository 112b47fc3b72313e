export { readCommandCounts } from './counts/store.ts';
export { DispatchEngine } from './engine.ts';
export { commandEventTypes, type DeviceEvent, type Step } from './unit-of-work.ts';
export { cancel, flush, rearm } from './user-requests.ts';
