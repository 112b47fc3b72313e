export { SpoolFailed, SpoolFull, SpoolLocked } from './spool/errors.ts';
export type { Appended } from './spool/gather.ts';
export type { SpoolReader } from './spool/reader.ts';
export { EVENT, MAX_RECORD_BYTES, type NewRecord, POSITION, type RecordKind } from './spool/record.ts';
export type { Blocked } from './spool/room.ts';
export type { SetAside, SetAsideEntry, SetAsideRecord } from './spool/set-aside.ts';
export { openSpool, type Spool, type SpoolOptions, type SpoolStats } from './spool/spool.ts';
