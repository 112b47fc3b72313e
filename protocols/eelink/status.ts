import type { Draft } from '#codec';

/** Status word of the old messages: each value has a bit that says whether it is known. */
export function readOldStatus(word: number, { attributes }: Draft): void {
  if (word & 0x0002) attributes['ignition'] = (word & 0x0004) !== 0;
  if (word & 0x0008) attributes['armed'] = (word & 0x0010) !== 0;
  if (word & 0x0020) attributes['blocked'] = (word & 0x0040) === 0;
  if (word & 0x0080) attributes['charge'] = (word & 0x0100) !== 0;
  attributes['status'] = word;
}

/** Status word of the new messages. */
export function readNewStatus(word: number, draft: Draft): void {
  const { attributes } = draft;
  draft.valid = (word & 0x0001) !== 0;
  if (word & 0x0002) attributes['ignition'] = (word & 0x0004) !== 0;
  if (word & 0x0008) {
    attributes['armed'] = (word & 0x0010) !== 0;
    attributes['motion'] = (word & 0x0200) !== 0;
  }
  if (word & 0x0020) attributes['blocked'] = (word & 0x0040) !== 0;
  if (word & 0x0080) attributes['charge'] = (word & 0x0100) !== 0;
  attributes['gps'] = (word & 0x0400) !== 0;
  attributes['status'] = word;
}
