import type { KnownDevice } from '../../devices/directory/index.ts';
import type { ResolvedEvent } from './statements.ts';

type Devices = readonly (KnownDevice | undefined)[];

/** Listener that counts stored records. Called per batch, not per record. */
export interface RecordCounter {
  /** The device of each record from index `first` on, repeats included. */
  countReceived(kind: 'frames' | 'positions', devices: Devices, first: number): void;
  /** Positions that were not stored before. */
  countStored(tenantId: number, positions: number): void;
}

/** Counts the records of a batch after a sequence number. */
export type CountReceived = (after: number, counter: RecordCounter) => void;

interface ReceivedRecords {
  readonly items: readonly ResolvedEvent[];
  /** packed ones, and their sequence numbers */
  readonly positions: { readonly devices: Devices };
  readonly seqs: readonly number[];
  readonly frames: { readonly devices: Devices; readonly seqs: readonly number[] };
}

/** Of records as they were received: those that are in files already are left out later. */
export const counterOf =
  ({ items, positions, seqs, frames }: ReceivedRecords): CountReceived =>
  (after, counter) => {
    const count = (kind: 'frames' | 'positions', devices: Devices, first: number): void => {
      if (first >= 0 && first < devices.length) counter.countReceived(kind, devices, first);
    };
    // sequence numbers ascend
    count(
      'positions',
      positions.devices,
      seqs.findIndex((seq) => seq > after),
    );
    count(
      'frames',
      frames.devices,
      frames.seqs.findIndex((seq) => seq > after),
    );
    const left = items.filter(({ event }) => event.seq > after);
    const devicesOf = (list: readonly ResolvedEvent[]): Devices => list.map(({ device }) => device);
    count('positions', devicesOf(left.filter(({ row }) => row !== undefined)), 0);
    count('frames', devicesOf(left.filter(({ event }) => FRAMES.has(event.type))), 0);
  };

const FRAMES: ReadonlySet<string> = new Set(['frame', 'frame-undecoded']);
