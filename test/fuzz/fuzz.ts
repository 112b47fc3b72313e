import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Driver, type DriverSettings, type DriverStep, type StreamProtocol, toHex } from '#codec';
import { countingProtocol } from '../conformance/rules/garbage.ts';
import { countReads, ReadCounter } from '../conformance/rules/read-counter.ts';
import { shapeProblems } from '../conformance/rules/shape.ts';
import { concat, createRandom, mutate, type Random } from '../support/random.ts';
import { corpusOf } from './corpus.ts';

export interface FuzzFigures {
  readonly frames: number;
  readonly bytes: number;
  readonly steps: Readonly<Record<DriverStep['type'], number>>;
  /** what went wrong, with the bytes that did it */
  readonly problems: readonly string[];
  readonly slowestPush: { readonly ms: number; readonly protocol: string; readonly bytes: number };
  /** bytes in use after a forced collection, at a tenth of the frames and at the end */
  readonly memory: { readonly early: number; readonly late: number };
}

interface Target {
  readonly protocol: StreamProtocol<unknown>;
  readonly corpus: readonly Uint8Array[];
  readonly connections: Connection[];
}

/** A connection that lives for a while; the first of each protocol lives as long as it can. */
interface Connection {
  driver: Driver<unknown>;
  count: { calls: number };
  pushes: number;
}

const CONNECTIONS = 8;
const PUSHES_PER_CONNECTION = 300;
const NOW = Date.UTC(2024, 5, 1, 12);

/** Sends damaged frames of all protocols through drivers. Stops early after ten problems. */
export function fuzz(
  protocols: readonly StreamProtocol<unknown>[],
  { frames, seed }: { readonly frames: number; readonly seed: number },
): FuzzFigures {
  const random = createRandom(seed);
  const problems: string[] = [];
  const steps = { frame: 0, undecoded: 0, 'bad-checksum': 0, skipped: 0, lost: 0 };
  const slowest = { ms: 0, protocol: '', bytes: 0 };
  let bytes = 0;
  let early = 0;
  const open = (protocol: StreamProtocol<unknown>): Connection => openConnection(protocol, random, problems);
  const targets = protocols.map((protocol): Target => {
    const connections = Array.from({ length: CONNECTIONS }, () => open(protocol));
    return { protocol, corpus: corpusOf(protocol, random), connections };
  });
  for (let sent = 0; sent < frames && problems.length < 10; sent++) {
    if (sent === Math.floor(frames / 10)) early = memoryInUse();
    const target = targets[sent % targets.length]!;
    const index = random.int(CONNECTIONS);
    const connection = target.connections[index]!;
    const stream = damage(target.corpus, random);
    bytes += stream.length;
    const started = performance.now();
    const lost = send(connection, stream, random, { steps, problems });
    const ms = performance.now() - started;
    if (ms > slowest.ms) Object.assign(slowest, { ms, protocol: target.protocol.id, bytes: stream.length });
    connection.pushes += 1;
    if (lost || (index > 0 && connection.pushes > PUSHES_PER_CONNECTION))
      target.connections[index] = open(target.protocol);
  }
  return { frames, bytes, steps, problems, slowestPush: slowest, memory: { early, late: memoryInUse() } };
}

function openConnection(protocol: StreamProtocol<unknown>, random: Random, problems: string[]): Connection {
  const { watched, count } = countingProtocol(protocol, (text) => problems.push(`${protocol.id}: ${text}`));
  const transport = random.pick(protocol.transports) as DriverSettings['transport'];
  return { driver: new Driver(watched, { transport, options: {} }), count, pushes: 0 };
}

/** Mostly damaged, sometimes intact or random, sometimes several at once. */
function damage(corpus: readonly Uint8Array[], random: Random): Uint8Array {
  const parts = Array.from({ length: random.int(20) === 0 ? 1 + random.int(20) : 1 }, () => {
    const frame = random.pick(corpus);
    const choice = random.int(20);
    if (choice === 0) return random.bytes(random.int(300));
    return choice < 4 ? frame : mutate(frame, random.pick(corpus), random);
  });
  return concat(...parts);
}

interface Tally {
  readonly steps: Record<DriverStep['type'], number>;
  readonly problems: string[];
}

/** Pushes a stream in chunks; true when the driver closes the connection. */
function send({ driver, count }: Connection, stream: Uint8Array, random: Random, { steps, problems }: Tally): boolean {
  const { id, maxFrameBytes } = driver.protocol;
  const note = (text: string) => problems.push(`${id}: ${text} after ${toHex(stream)}`);
  for (let from = 0; from < stream.length; ) {
    const to = random.int(3) === 0 ? Math.min(stream.length, from + 1 + random.int(40)) : stream.length;
    const held = driver.buffered;
    count.calls = 0;
    try {
      for (const step of driver.push(stream.slice(from, to), NOW)) {
        steps[step.type] += 1;
        if (step.type === 'lost') return true;
        if (step.type !== 'frame') continue;
        for (const message of step.messages)
          for (const problem of shapeProblems(message, driver.protocol)) note(problem);
      }
    } catch (error) {
      note((error as Error).stack?.split('\n').slice(0, 2).join(' ') ?? String(error));
      return true;
    }
    if (driver.buffered > maxFrameBytes) note(`holds ${driver.buffered} bytes`);
    if (count.calls > held + to - from + 1) note(`${count.calls} calls for ${held + to - from} bytes`);
    from = to;
  }
  return false;
}

let collect: (() => void) | undefined;

function memoryInUse(): number {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  for (let round = 0; round < 4; round++) collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/**
 * Streams that could begin a frame at every byte, a full socket buffer of them: how long one push takes.
 */
export function slowestPrefixes(protocol: StreamProtocol<unknown>, size = 65_536) {
  const random = createRandom(9);
  let slowest = { ms: 0, prefix: '' };
  /** most bytes that a driver buffered */
  let held = 0;
  const heads = new Set(
    corpusOf(protocol, random).flatMap((frame) =>
      [1, 2, 3, 8, 24].map((n) => toHex(frame, 0, Math.min(n, frame.length))),
    ),
  );
  for (const prefix of heads) {
    const unit = Buffer.from(prefix, 'hex');
    const stream = new Uint8Array(Buffer.alloc(size, unit));
    const driver = new Driver(protocol, { transport: 'tcp', options: {} });
    const started = performance.now();
    driver.push(stream, NOW);
    const ms = performance.now() - started;
    if (ms > slowest.ms) slowest = { ms, prefix };
    held = Math.max(held, driver.buffered);
  }
  return { ...slowest, held };
}

/** Bytes that framing and checksum read per byte of a stream of damaged frames. */
export function readsOfDamaged(protocol: StreamProtocol<unknown>, seed: number, size = 32_768): number {
  const random = createRandom(seed);
  const corpus = corpusOf(protocol, random);
  const parts: Uint8Array[] = [];
  for (let bytes = 0; bytes < size; bytes += parts.at(-1)!.length) parts.push(damage(corpus, random));
  const counter = new ReadCounter();
  const counted = countReads(protocol, counter);
  let driver = new Driver(counted, { transport: 'tcp', options: {} });
  let received = 0;
  for (const part of parts) {
    received += part.length;
    const isLost = driver.push(part, NOW).some(({ type }) => type === 'lost');
    if (isLost) driver = new Driver(counted, { transport: 'tcp', options: {} });
  }
  return counter.count / received;
}
