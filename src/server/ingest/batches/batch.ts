import type pg from 'pg';
import type { GatewayEvent } from '../../../contract/events.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DuplicateHeuristic, Queryable, WriteMode } from '../../database/index.ts';
import type { Feed } from '../feed/index.ts';
import type { CountReceived } from './counts.ts';
import type { PackedFrames } from './packed-frames.ts';
import type { PackedRecords } from './packed-records.ts';
import type { ByTenant } from './positions/batch.ts';
import type { KnownLimits } from './positions/known.ts';
import type { PackedPositions } from './positions/packed-batch.ts';
import type { RecentIds } from './positions/recent-ids.ts';
import type { ResolvedEvent } from './statements.ts';
import type { Rejection } from './store.ts';

/** Who sent the batch, and what the gateway knows of the batches before it. */
export interface BatchSource {
  readonly gateway: string;
  readonly spool: string;
  /** the batch is valid only if the batch that ends with this sequence number has been stored */
  readonly after?: number | undefined;
  /** the gateway has received the rejections up to this sequence number */
  readonly settled?: number | undefined;
  /** epoch ms by the gateway's clock */
  readonly clock?: number | undefined;
}

/** A batch whose records have been read and checked. */
export interface ReadBatch {
  /** everything that is not packed, by sequence number */
  readonly events: readonly GatewayEvent[];
  readonly positions: PackedRecords;
  readonly frames: PackedRecords;
  readonly rejected: readonly Rejection[];
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** A batch whose devices and partitions exist and whose statements are made. */
export interface PreparedBatch {
  readonly source: BatchSource;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** everything that is not packed */
  readonly items: readonly ResolvedEvent[];
  readonly positions: PackedPositions;
  /** sequence numbers of the positions */
  readonly seqs: readonly number[];
  readonly frames: PackedFrames;
  /** rejected while it was read or prepared, by sequence number */
  readonly rejected: readonly Rejection[];
  /** epoch ms by the gateway's clock: everything before this instant has been reported */
  readonly gatewayClock: number | undefined;
  readonly mode: WriteMode;
  /** writes all records as new ones; undefined if events concern commands, which have to be loaded first */
  readonly write: ((tx: Queryable) => Promise<ByTenant>) | undefined;
  readonly countReceived: CountReceived;
}

export interface BatchAnswer {
  readonly lastSeq: number;
  readonly rejected: readonly Rejection[];
}

/** A batch that has been committed. */
export interface StoredBatch extends BatchAnswer {
  /** new positions */
  readonly stored: ByTenant;
  /** records up to this sequence number were counted when they were stored before */
  readonly countedSeq: number;
  afterCommit(): void;
}

/** The state changes that a transaction makes to commands. */
export interface CommandChanges {
  /** Sends its statements in the calling tick. */
  apply(): Promise<void>;
  /** Called once the transaction is committed: deliveries and notifications. */
  afterCommit(): void;
}

/** The part of the command queue that gateway events change, in the transaction that stores the events. */
export interface CommandEvents {
  readonly eventTypes: ReadonlySet<string>;
  /** Loads and locks the commands of the events, and the sessions of the devices that the transaction `touched`. */
  load(
    tx: Queryable,
    gateway: string,
    events: readonly { readonly event: GatewayEvent; readonly deviceId: number | undefined }[],
    touched: ReadonlySet<number>,
  ): Promise<CommandChanges>;
}

export interface StoreDeps {
  readonly feed?: Feed | undefined;
  readonly commands?: CommandEvents | undefined;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** tenant under which unregistered devices are listed */
  readonly defaultTenantId: number;
  readonly knownLimits: KnownLimits;
  readonly duplicates: DuplicateHeuristic;
  readonly recentIds: RecentIds;
  readonly onRefused: (detail: { seq: number; type: string; error: string }) => void;
}
