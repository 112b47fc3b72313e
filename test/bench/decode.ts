import { Driver, type StreamProtocol } from '#codec';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { sessionOf } from './decode-all.ts';
import { type DecodeCase, decodeCases } from './decode-cases.ts';
import type { Figure } from './figure.ts';

const PAIRS = 7;
const WARM_UP_MS = 400;
const RUN_MS = 300;
/** The clock is read once in so many frames. */
const BATCH = 1024;

/**
 * Frames a second through the driver on one core, checksum included, each frame a chunk of its own; and how many times
 * faster that is than another decoder. Both are measured alternately, by CPU time, so that other work on the machine counts
 * less; medians of the runs and of their ratios are reported.
 */
export async function run(): Promise<Figure[]> {
  const { streams } = await loadCatalogue();
  const cases = decodeCases.flatMap((given) => {
    const protocol = streams.find(({ id }) => id === given.protocol);
    if (protocol === undefined) throw new Error(`no codec is called ${given.protocol}`);
    return measureCase(given, protocol);
  });
  return [...cases, ...streams.map(measureProtocol)];
}

/** Frames a second that a protocol has to reach on one core. */
const LEAST_BINARY = 500_000;
const LEAST_TEXT = 150_000;
const SHORT_RUNS = 3;
const SHORT_MS = 150;

/** A simulated device's reports, one fix each. */
function measureProtocol(protocol: StreamProtocol): Figure {
  const { isText, read } = sessionOf(protocol);
  rate(read, SHORT_MS);
  const reached = median(Array.from({ length: SHORT_RUNS }, () => rate(read, SHORT_MS)));
  const least = isText ? LEAST_TEXT : LEAST_BINARY;
  const result = reached >= least ? 'pass' : `short of ${perSecond(least)}`;
  return {
    name: `decode ${protocol.id} (${isText ? 'text' : 'binary'})`,
    value: `${perSecond(reached)} frames/s  ${result}`,
  };
}

function measureCase(given: DecodeCase, protocol: StreamProtocol<unknown>): Figure[] {
  const { title, rival } = given;
  const ours = decoderOf(given, protocol);
  const theirs = rival === undefined ? undefined : readerOf(rival);
  rate(ours, WARM_UP_MS);
  if (theirs !== undefined) rate(theirs, WARM_UP_MS);
  const runs = Array.from({ length: PAIRS }, () => {
    const own = rate(ours, RUN_MS);
    return { own, other: theirs === undefined ? Number.NaN : rate(theirs, RUN_MS) };
  });
  const name = `decode ${given.protocol} (${title})`;
  const key = `${given.protocol} ${title}`;
  const own = median(runs.map((each) => each.own));
  const figures = [
    { name, value: `${perSecond(own)} frames/s`, measurements: [{ key, value: own, unit: 'frames/s' }] },
  ];
  if (rival === undefined) return figures;
  const ratio = median(runs.map((each) => each.own / each.other));
  const other = perSecond(median(runs.map((r) => r.other)));
  return [
    ...figures,
    {
      name: `${name} against ${rival.name}`,
      value: `${ratio.toFixed(1)} times (${other} frames/s)`,
      measurements: [{ key: `${key} against ${rival.name}`, value: ratio, unit: 'times', wanted: { atLeast: 1 } }],
    },
  ];
}

/** Reads the frame of this number, of as many as there are; throws where it is not read whole. */
type Read = (n: number) => void;

function decoderOf(given: DecodeCase, protocol: StreamProtocol<unknown>): Read {
  const { frames, positions, deviceId, options = {} } = given;
  const driver = new Driver(protocol, { transport: 'tcp', options, deviceId });
  return (n) => {
    const steps = driver.push(frames[n % frames.length]!, 1_700_000_000_000);
    const step = steps[0];
    if (steps.length !== 1 || step?.type !== 'frame' || step.messages.length !== positions)
      throw new Error(`${given.protocol} (${given.title}): frame ${n % frames.length} is not decoded`);
  };
}

function readerOf({ name, frames, read }: NonNullable<DecodeCase['rival']>): Read {
  return (n) => {
    if (!read(frames[n % frames.length]!)) throw new Error(`${name} does not read frame ${n % frames.length}`);
  };
}

/** Frames a second of this process's CPU time (collection of garbage included), over at least so much of it. */
function rate(read: Read, ms: number): number {
  const began = process.cpuUsage();
  let count = 0;
  let spentMs = 0;
  while (spentMs < ms) {
    for (const end = count + BATCH; count < end; count++) read(count);
    const { user, system } = process.cpuUsage(began);
    spentMs = (user + system) / 1000;
  }
  return (count / spentMs) * 1000;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

const perSecond = (rate: number): string => Math.round(rate).toLocaleString('en');
