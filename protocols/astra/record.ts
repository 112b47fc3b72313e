import type { Draft, Reader } from '#codec';
import { alarmsByMask, attr, fix, layout, number, u16 } from '#codec/binary';
import { LAYOUTS } from './blocks.ts';
import { EPOCH } from './old.ts';

/** Reasons of a record by their bit; source: astra-protocol-x-parser (Astra Telematics). */
const REASONS = alarmsByMask([
  [0x0000_0008, 'geofence'],
  [0x0000_0010, 'sos'],
  [0x0000_0200, 'lowBattery'],
  [0x0000_2800, 'idle'],
  [0x0000_8000, 'overspeed'],
  [0x0001_0000, 'tow'],
  [0x0004_0000, 'accident'],
  [0x0008_0000, 'hardAcceleration'],
  [0x0010_0000, 'hardCornering'],
  [0x0020_0000, 'hardBraking'],
  [0x0200_0000, 'tampering'],
  [0x1000_0000, 'lowPower'],
  [0x8000_0000, 'movement'],
]);

const HEAD = layout([fix.deviceTime('u32', 1000, EPOCH), number('u32', attr('event'), REASONS), u16('status')]);

const [IGNITION, NO_FIX, ROAMING, STORED, IMMOBILIZED, JAMMED] = [0x0001, 0x0004, 0x0008, 0x0020, 0x0040, 0x0100];

function readStatus(draft: Draft): void {
  const { attributes } = draft;
  const status = Number(attributes['status']);
  attributes['ignition'] = (status & IGNITION) !== 0;
  attributes['roaming'] = (status & ROAMING) !== 0;
  attributes['blocked'] = (status & IMMOBILIZED) !== 0;
  if ((status & STORED) !== 0) attributes['archive'] = true;
  if ((status & JAMMED) !== 0) draft.addAlarm('jamming');
}

/** Index, mask of the blocks, head, blocks. False if a block follows whose size is not known. */
export function readRecord(reader: Reader, draft: Draft): boolean {
  draft.attributes['index'] = reader.u8();
  const mask = reader.u48();
  HEAD(reader, draft);
  readStatus(draft);
  const isKnown = readBlocks(mask, reader, draft);
  // the place is then the last one that was known
  if ((Number(draft.attributes['status']) & NO_FIX) !== 0) draft.valid = false;
  return isKnown;
}

function readBlocks(mask: number, reader: Reader, draft: Draft): boolean {
  for (const [bit, read] of LAYOUTS.entries()) {
    if (Math.trunc(mask / 2 ** bit) % 2 === 0) continue;
    if (read === undefined) return false;
    read(reader, draft);
  }
  return true;
}
