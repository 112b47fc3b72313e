export { commandSpool } from './command.ts';
export { SetAsideFull, SpoolFailed, SpoolFull, SpoolLocked } from './errors.ts';
export { inspectSpool, readRecords } from './inspect.ts';
export { operate } from './operate.ts';
export type { SpoolReader } from './reader.ts';
export { EVENT, FRAME, type NewRecord, PACKED, POSITION } from './record.ts';
export type { SetAsideEntry } from './set-aside-entry.ts';
export { showSetAside } from './set-aside-files.ts';
export { openSpool, type Spool, type SpoolOptions } from './spool.ts';
