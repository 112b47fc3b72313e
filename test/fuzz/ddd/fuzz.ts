import { systemClock } from '../../../src/platform/clock.ts';
import { CardSplitter, isSignature, placeOf } from '../../../src/server/tachograph/engine/card/tlv.ts';
import {
  analyse,
  buildTimeline,
  parseTachograph,
  type Roots,
  type TachographFile,
  verifyTachograph,
} from '../../../src/server/tachograph/engine/index.ts';
import { factsOf } from '../../../src/server/tachograph/engine/reports/file-facts.ts';
import { createRandom } from '../../support/random.ts';
import { changed, cutAt, type Damaged } from './damage.ts';
import { type RecordedFact, recordedFactsOf } from './recorded-facts.ts';

export interface Subject {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface FuzzOptions {
  /** The file is truncated every so many bytes: 1 is at every length. */
  readonly cutEvery: number;
  readonly changes: number;
  readonly seed: number;
  /** One in so many damaged files is also verified, joined to a timeline and analysed; all are parsed. */
  readonly analyseEvery: number;
  readonly roots: Roots;
}

export interface FuzzReport {
  readonly problems: string[];
  cuts: number;
  changes: number;
  analysed: number;
  /** The slowest damaged file; above NOTABLE_MS its CPU time, the minimum of three runs. */
  slowest: { ms: number; what: string };
}

const MOST_PROBLEMS = 20;
/** Only what takes longer is measured again. */
const NOTABLE_MS = 50;

/** Truncates and changes a download, and checks that nothing breaks and that everything before the damage is read. */
export function fuzzFile({ name, bytes }: Subject, options: FuzzOptions): FuzzReport {
  const report: FuzzReport = { problems: [], cuts: 0, changes: 0, analysed: 0, slowest: { ms: 0, what: '' } };
  const expected: Expected = { facts: recordedFactsOf(bytes), signed: filesOf(bytes) };
  let count = 0;
  const attempt = (damaged: Damaged): void => {
    const isAnalysed = count++ % options.analyseEvery === 0;
    if (isAnalysed) report.analysed++;
    const problem = problemOf(damaged, expected, isAnalysed ? options.roots : undefined, report);
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

interface Expected {
  readonly facts: readonly RecordedFact[];
  readonly signed: ReadonlyMap<string, Uint8Array>;
}

function problemOf(
  { bytes, from, what }: Damaged,
  { facts, signed }: Expected,
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
    for (const fact of facts) {
      if (fact.end > from) break;
      if (!fact.isIn(file, from)) return `${fact.what} precedes the damage and is not read`;
    }
    return roots === undefined ? undefined : wronglyValid(bytes, roots, signed);
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
  const cutter = new CardSplitter(bytes);
  cutter.split(0);
  const data = cutter.blocks.filter(({ type }) => !isSignature(type));
  return new Map(data.map((block) => [placeOf(block.fid, block.type), block.bytes]));
}

/** A file reported as valid must hold the bytes that were signed. */
function wronglyValid(bytes: Uint8Array, roots: Roots, signed: ReadonlyMap<string, Uint8Array>): string | undefined {
  const results = verifyTachograph(bytes, roots);
  if ('blocks' in results) return undefined;
  const read = filesOf(bytes);
  for (const section of ['gen1', 'gen2'] as const) {
    for (const { file, verdict } of results[section] ?? []) {
      const place = `${section}/${file}`;
      const isTheSame = Buffer.compare(read.get(place) ?? NOTHING, signed.get(place) ?? NOTHING) === 0;
      if (verdict === 'valid' && !isTheSame) return `${place} differs from what was signed, and is reported as valid`;
    }
  }
  return undefined;
}

const NOTHING = new Uint8Array();
