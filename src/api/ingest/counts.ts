import type { KnownDevice } from '../device-directory/index.ts';
import type { ResolvedEvent } from './statements.ts';

/** Counts what is stored, for whoever keeps the counts. */
export interface RecordCounter {
  /** Repeats included. */
  countReceived(device: KnownDevice, frames: number, positions: number): void;
  /** Positions that were not stored before. */
  countStored(tenantId: number, positions: number): void;
}

/** Counts the records of a batch after a sequence number. */
export type CountReceived = (after: number, counter: RecordCounter) => void;

type Devices = readonly (KnownDevice | undefined)[];
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
    for (const { event, device, row } of items) {
      if (device === undefined || event.seq <= after) continue;
      if (row !== undefined) counter.countReceived(device, 0, 1);
      else if (event.type === 'frame' || event.type === 'frame-undecoded') counter.countReceived(device, 1, 0);
    }
    countRuns(positions.devices, seqs, after, (device, records) => counter.countReceived(device, 0, records));
    countRuns(frames.devices, frames.seqs, after, (device, records) => counter.countReceived(device, records, 0));
  };

/** A device's records often follow each other. Sequence numbers ascend. */
function countRuns(
  devices: Devices,
  seqs: readonly number[],
  after: number,
  count: (device: KnownDevice, records: number) => void,
): void {
  let first = seqs.findIndex((seq) => seq > after);
  if (first === -1) return;
  while (first < devices.length) {
    const device = devices[first];
    let next = first + 1;
    while (next < devices.length && devices[next] === device) next++;
    if (device !== undefined) count(device, next - first);
    first = next;
  }
}
