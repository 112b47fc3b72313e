import type { PackedPositions } from './packed-batch.ts';

/** of 8 bytes each */
const PLACES = 1 << 19;

/** Ids of positions that were received a short time ago: devices send again what was not acknowledged in time. */
export interface RecentIds {
  /** Notes the ids; whether one of them was noted before. */
  note(ids: readonly string[]): boolean;
  notePacked(positions: PackedPositions): boolean;
}

/** By the first 8 bytes of an id. A newer id takes the place of an older one. */
export function createRecentIds(places = PLACES): RecentIds {
  const noted = new Uint32Array(2 * places);
  const note = (first: number, second: number): boolean => {
    const at = 2 * (second % places);
    if (noted[at] === first && noted[at + 1] === second) return true;
    noted[at] = first;
    noted[at + 1] = second;
    return false;
  };
  return {
    note(ids) {
      let isKnown = false;
      for (const id of ids) {
        const bytes = Buffer.from(id, 'base64url');
        if (bytes.length >= 8 && note(bytes.readUInt32BE(0), bytes.readUInt32BE(4))) isKnown = true;
      }
      return isKnown;
    },
    notePacked({ view, starts }) {
      let isKnown = false;
      for (const start of starts) if (note(view.getUint32(start), view.getUint32(start + 4))) isKnown = true;
      return isKnown;
    },
  };
}
