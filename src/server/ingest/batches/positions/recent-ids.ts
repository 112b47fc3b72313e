import type { PackedPositions } from './packed-batch.ts';

/** of 8 bytes each */
const PLACES = 1 << 19;
const TWO_32 = 2 ** 32;

/** Positions that were received a short time ago: devices send again what was not acknowledged in time. */
export interface RecentIds {
  /** Notes the positions; whether one of them was noted before. */
  note(rows: readonly { readonly id: string; readonly time: number }[]): boolean;
  notePacked(positions: PackedPositions): boolean;
}

/**
 * By the first 8 bytes of the id and the time, as in the key of the table: records without a time of their own have that
 * of the server, and answers with equal texts are not the same record. A newer one takes the place of an older one.
 */
export function createRecentIds(places = PLACES): RecentIds {
  const noted = new Uint32Array(2 * places);
  const note = (high: number, low: number, time: number): boolean => {
    const first = (high ^ Math.floor(time / TWO_32)) >>> 0;
    const second = (low ^ (time >>> 0)) >>> 0;
    const at = 2 * (second % places);
    if (noted[at] === first && noted[at + 1] === second) return true;
    noted[at] = first;
    noted[at + 1] = second;
    return false;
  };
  return {
    note(rows) {
      let isKnown = false;
      for (const { id, time } of rows) {
        const bytes = Buffer.from(id, 'base64url');
        if (bytes.length >= 8 && note(bytes.readUInt32BE(0), bytes.readUInt32BE(4), time)) isKnown = true;
      }
      return isKnown;
    },
    notePacked({ view, starts, times }) {
      let isKnown = false;
      for (let index = 0; index < starts.length; index++) {
        const start = starts[index]!;
        if (note(view.getUint32(start), view.getUint32(start + 4), times[index]!)) isKnown = true;
      }
      return isKnown;
    },
  };
}
