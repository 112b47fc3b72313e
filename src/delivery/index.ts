export { type ApiTargetOptions, apiTarget } from './pusher/api-target.ts';
export { type PushTargetOptions, pushTarget } from './pusher/push-target.ts';
export { createPusher, type Pusher, type PusherOptions } from './pusher/pusher.ts';
export type { PusherStatus, Trouble } from './pusher/status.ts';
export type { Target } from './pusher/target.ts';
export { commandSpool } from './spool/command.ts';
export { SpoolFailed, SpoolFull, SpoolLocked } from './spool/errors.ts';
export type { Appended } from './spool/group.ts';
export {
  inspectSpool,
  readRecords,
  type SegmentView,
  type SpoolView,
  type StoredRecord,
  showSetAside,
} from './spool/inspect.ts';
export { operate, type SpoolCommand, type SpoolCommandAnswer } from './spool/operate.ts';
export type { SpoolReader } from './spool/reader.ts';
export { EVENT, FRAME, MAX_RECORD_BYTES, type NewRecord, PACKED, POSITION, type RecordKind } from './spool/record.ts';
export type { Blocked } from './spool/room.ts';
export type { SetAside, SetAsideEntry, SetAsideRecord } from './spool/set-aside.ts';
export { openSpool, type Spool, type SpoolOptions, type SpoolStats } from './spool/spool.ts';
