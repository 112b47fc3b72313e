import { systemClock } from '../../../src/platform/clock.ts';
import { CardCutter, isSignature, placeOf } from '../../../src/tachograph/card/tlv.ts';
import {
  analyse,
  buildTimeline,
  parseTachograph,
  type Roots,
  type TachographFile,
  verifyTachograph,
} from '../../../src/tachograph/index.ts';
import { factsOf } from '../../../src/tachograph/reports/file-facts.ts';
import { createRandom } from '../../support/random.ts';
import { changed, cutAt, type Damaged } from './damage.ts';
import { type Standing, standingsOf } from './standing.ts';

export interface Subject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface FuzzOptions {
  /** Every how many bytes the file is cut: 1 is at every length. */
  readonly cutEvery: number;
  readonly changes: number;
  readonly seed: number;
  /** Every how many of the damaged files are verified, joined to a timeline and judged too; all are read. */
  readonly judgeEvery: number;
  readonly roots: Roots;
}

export interface FuzzReport {
  readonly problems: string[];
  cuts: number;
  changes: number;
  judged: number;
  /** One damaged file with all that was asked of it; where that is much, the CPU of it, the least of three tries. */
  slowest: { ms: number; what: string };
}

const MOST_PROBLEMS = 20;
/** Only what takes longer is tried again. */
const NOTABLE_MS = 50;

/** Cuts and changes a download, and looks that nothing breaks and that what stood before the damage is read. */
export function fuzzFile({ name, bytes }: Subject, options: FuzzOptions): FuzzReport {
  const report: FuzzReport = { problems: [], cuts: 0, changes: 0, judged: 0, slowest: { ms: 0, what: '' } };
  const sound: Sound = { standings: standingsOf(bytes), signed: filesOf(bytes) };
  let count = 0;
  const attempt = (damaged: Damaged): void => {
    const isJudged = count++ % options.judgeEvery === 0;
    if (isJudged) report.judged++;
    const problem = problemOf(damaged, sound, isJudged ? options.roots : undefined, report);
    if (problem !== undefined && report.problems.length < MOST_PROBLEMS) {
      report.problems.push(`${name}, ${damaged.what}: ${problem}`);
    }
  };
  for (let length = 0; length < bytes.length; length += options.cutEvery) {
    attempt(cutAt(bytes, length));
    report.cuts++;
  }
  const random = createRandom(options.seed);
  for (; report.changes < options.changes; report.changes++) attempt(changed(bytes, random));
  return report;
}

interface Sound {
  readonly standings: readonly Standing[];
  readonly signed: ReadonlyMap<string, Uint8Array>;
}

function problemOf(
  { bytes, from, what }: Damaged,
  { standings, signed }: Sound,
  roots: Roots | undefined,
  report: FuzzReport,
): string | undefined {
  try {
    let file: TachographFile | undefined;
    const run = (): number =>
      cpuOf(() => {
        file = work(bytes, roots);
      });
    const began = systemClock.monotonic();
    file = work(bytes, roots);
    let ms = systemClock.monotonic() - began;
    for (let again = 0; again < 3 && ms > NOTABLE_MS; again++) ms = Math.min(ms, run());
    if (ms > report.slowest.ms) report.slowest = { ms, what };
    for (const standing of standings) {
      if (standing.end > from) break;
      if (!standing.isIn(file, from)) return `${standing.what} stood before it and is not read`;
    }
    return roots === undefined ? undefined : falselyValid(bytes, roots, signed);
  } catch (error) {
    return (error as Error).stack ?? String(error);
  }
}

function cpuOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What the server does with a download; with `roots` all of it. */
function work(bytes: Uint8Array, roots: Roots | undefined): TachographFile | undefined {
  const file = parseTachograph(bytes);
  if (file === undefined || roots === undefined) return file;
  const [driver] = factsOf(file, verifyTachograph(bytes, roots)).drivers;
  const timeline = driver && buildTimeline([{ fileId: 'file', file }], driver);
  if (driver !== undefined && timeline !== undefined) analyse(timeline, { driver });
  return file;
}

/** The bytes of each file of a card, by its place. */
function filesOf(bytes: Uint8Array): Map<string, Uint8Array> {
  const cutter = new CardCutter(bytes);
  cutter.cut(0);
  const data = cutter.blocks.filter(({ type }) => !isSignature(type));
  return new Map(data.map((block) => [placeOf(block.fid, block.type), block.bytes]));
}

/** What is called valid holds the bytes that were signed. */
function falselyValid(bytes: Uint8Array, roots: Roots, signed: ReadonlyMap<string, Uint8Array>): string | undefined {
  const verdicts = verifyTachograph(bytes, roots);
  if ('blocks' in verdicts) return undefined;
  const read = filesOf(bytes);
  for (const section of ['gen1', 'gen2'] as const) {
    for (const { file, verdict } of verdicts[section] ?? []) {
      const place = `${section}/${file}`;
      const isTheSame = Buffer.compare(read.get(place) ?? NOTHING, signed.get(place) ?? NOTHING) === 0;
      if (verdict === 'valid' && !isTheSame) return `${place} is not what was signed, and called valid`;
    }
  }
  return undefined;
}

const NOTHING = new Uint8Array();
