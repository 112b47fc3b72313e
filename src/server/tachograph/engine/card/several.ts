import { type CardBlock, CardSplitter, isForeign, isSignature } from './tlv.ts';

const HEADER = 5;
const IDENTIFICATION = '0520';
/** Activities: what a download is for. */
const ACTIVITIES = '0504';

/**
 * The downloads of several cards that are in one file, each with its own bytes. `undefined`: the file is of one card.
 * `mixed`: records of several cards are in it, and where one ends is not certain.
 */
export function cardsIn(bytes: Uint8Array): readonly Uint8Array[] | 'mixed' | undefined {
  const splitter = new CardSplitter(bytes);
  if (!splitter.begins(0)) return undefined;
  splitter.split(0);
  if (identitiesOf(splitter.blocks).size < 2) return undefined;
  const parts = partsOf(splitter.blocks);
  const isWhole = (blocks: readonly CardBlock[]): boolean =>
    identitiesOf(blocks).size === 1 && blocks.some(({ fid }) => fid === ACTIVITIES);
  if (!parts.every(isWhole)) return 'mixed';
  const starts = parts.map((blocks, index) => (index === 0 ? 0 : blocks[0]!.offset - HEADER));
  return starts.map((from, index) => bytes.slice(from, starts[index + 1] ?? bytes.length));
}

/** Nation and the characters of the card number that renewals keep. */
const identitiesOf = (blocks: readonly CardBlock[]): Set<string> =>
  new Set(
    blocks
      .filter(
        ({ fid, type, bytes }) =>
          fid === IDENTIFICATION && !isSignature(type) && !isForeign(type) && bytes.length >= 15,
      )
      .map(({ bytes }) => Buffer.from(bytes.subarray(0, 15)).toString('latin1')),
  );

/** A download has each file once: what comes again begins the next one. */
function partsOf(blocks: readonly CardBlock[]): CardBlock[][] {
  const parts: CardBlock[][] = [];
  let seen = new Set<string>();
  for (const block of blocks) {
    const name = `${block.fid}/${block.type}`;
    if (parts.length === 0 || (!isSignature(block.type) && seen.has(name))) {
      parts.push([]);
      seen = new Set();
    }
    parts.at(-1)!.push(block);
    seen.add(name);
  }
  return parts;
}
