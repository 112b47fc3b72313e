// The bits of wide numbers, written as whole numbers and read as what they are: a view of the bytes costs ten times more.
const words = new Int32Array(2);
const doubles = new Float64Array(words.buffer);
const unsigned = new BigUint64Array(words.buffer);
const signed = new BigInt64Array(words.buffer);
const [HIGH, LOW] = new Uint8Array(Int32Array.of(1).buffer)[0] === 1 ? [1, 0] : [0, 1];

function setWords(high: number, low: number): void {
  words[HIGH] = high;
  words[LOW] = low;
}

const word = new Int32Array(1);
const float = new Float32Array(word.buffer);

/** The number of single precision whose bits these are. */
export function floatOf(bits: number): number {
  word[0] = bits;
  return float[0]!;
}

/** The number of double precision whose bits are these 32-bit words. */
export function doubleOf(high: number, low: number): number {
  setWords(high, low);
  return doubles[0]!;
}

export function unsignedOf(high: number, low: number): bigint {
  setWords(high, low);
  return unsigned[0]!;
}

export function signedOf(high: number, low: number): bigint {
  setWords(high, low);
  return signed[0]!;
}

/** The lower 64 bits of a whole number. */
export function wordsOf(value: bigint): readonly [high: number, low: number] {
  unsigned[0] = value;
  return [words[HIGH]!, words[LOW]!];
}
