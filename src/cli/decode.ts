import type { Command } from 'commander';
import { CodecError, Driver, fromHex, type Message, type StreamProtocol, toHex } from '#codec';
import { httpAsStream } from '#codec/http';
import { type Catalogue, loadCatalogue } from '../codec/catalogue/index.ts';
import { systemClock } from '../platform/clock.ts';
import { stdinLines, writeJsonLine } from './lines.ts';
import { decodeRecorded, describeDecoded, describeError, describeMessage, type RecordedSession } from './recorded.ts';
import { UsageError } from './usage.ts';

export function register(program: Command): void {
  program
    .command('decode')
    .description('decode device bytes: one message in hexadecimal, or recorded sessions as JSON lines on stdin')
    .argument('[codec]', 'name of a codec or service, or auto')
    .argument('[hex]', 'bytes in hexadecimal')
    .option('--jsonl', 'read sessions as JSON lines from stdin and write one JSON line per frame to stdout')
    .option('--transport <transport>', 'tcp or udp', 'tcp')
    .option('--device <id>', 'id of the device, for a connection that has already identified itself')
    .option('--option <name=value...>', 'a per-device option, e.g. model=FMB130')
    .action(async (codec: string | undefined, hex: string | undefined, options: DecodeOptions) => {
      const catalogue = await loadCatalogue();
      if (options.jsonl) await decodeSessions(catalogue);
      else if (codec === undefined || hex === undefined)
        throw new UsageError('usage: decode <codec|auto> <hex>, or decode --jsonl');
      else await decodeForPeople(catalogue, codec, hex, options);
    });
}

interface DecodeOptions {
  readonly jsonl?: true;
  readonly transport: string;
  readonly device?: string;
  readonly option?: readonly string[];
}

async function decodeSessions(catalogue: Catalogue): Promise<void> {
  for await (const line of stdinLines()) {
    const { protocol: name, session, frames } = JSON.parse(line) as RecordedSession;
    const protocol = catalogue.byId(name);
    let state = protocol?.initialState();
    for (const [index, frame] of frames.entries()) {
      const place = { protocol: name, session, frame: index };
      if (protocol === undefined) {
        await writeJsonLine({ ...place, error: `no codec is called ${name}` });
        continue;
      }
      try {
        const decoded = decodeRecorded(protocol, frame, state, systemClock.now());
        state = decoded.state;
        await writeJsonLine({ ...place, ...describeDecoded(decoded) });
      } catch (error) {
        if (!(error instanceof CodecError))
          process.stderr.write(`bug in ${name}, frame ${session}/${index}: ${(error as Error).stack}\n`);
        await writeJsonLine({
          ...place,
          ...(error instanceof CodecError ? describeError(error) : { error: String(error) }),
        });
      }
    }
  }
}

async function decodeForPeople(catalogue: Catalogue, codec: string, hex: string, given: DecodeOptions): Promise<void> {
  const bytes = parseHex(hex);
  if (given.transport !== 'tcp' && given.transport !== 'udp') throw new UsageError('--transport must be tcp or udp');
  const transport = given.transport;
  const candidates =
    codec === 'auto'
      ? catalogue.streams.filter((p) => identifies(p, bytes, transport))
      : catalogue.named(codec).map(httpAsStream);
  if (candidates.length === 0) {
    throw new UsageError(
      codec === 'auto' ? 'no codec knows these first bytes' : `no codec or service is called ${codec}`,
    );
  }
  for (const protocol of candidates) {
    process.stdout.write(`${protocol.id}: ${protocol.title}\n`);
    const driver = new Driver(protocol, {
      transport,
      options: parseOptions(given.option ?? []),
      ...(given.device === undefined ? {} : { deviceId: given.device }),
    });
    for (const step of driver.push(bytes, systemClock.now())) printStep(step, driver);
    if (driver.buffered > 0) process.stdout.write(`  ${driver.buffered} bytes more begin a frame that is not whole\n`);
  }
}

type DriverStep = ReturnType<Driver<unknown>['push']>[number];

function printStep(step: DriverStep, driver: Driver<unknown>): void {
  for (const line of describeStep(step, driver)) process.stdout.write(`  ${line.replaceAll('\n', '\n  ')}\n`);
}

function describeStep(step: DriverStep, driver: Driver<unknown>): string[] {
  if (step.type === 'lost') return [`stream lost  ${step.error.message}`];
  const hex = toHex(step.bytes);
  if (step.type === 'skipped') return [`skipped      ${hex}`];
  if (step.type === 'bad-checksum') return [`bad checksum ${hex}`];
  const meaning =
    step.type === 'undecoded'
      ? [`not decoded  ${step.error.message}`]
      : step.messages.map((message) => JSON.stringify(forPeople(message, driver), null, 2));
  const replies = step.replies.map((reply) => `reply        ${toHex(reply.bytes)} (when ${reply.when})`);
  return [`frame        ${hex}`, ...meaning, ...replies];
}

/** Includes the vendor names of elements. */
function forPeople(message: Message, { protocol, options }: Driver<unknown>): object {
  const named = message.type === 'position' ? protocol.named?.(message.attributes, options) : undefined;
  return named === undefined ? describeMessage(message) : { ...describeMessage(message), named };
}

function identifies(protocol: StreamProtocol, bytes: Uint8Array, transport: 'tcp' | 'udp'): boolean {
  return protocol.transports.includes(transport) && protocol.identify?.(bytes, transport) === 'yes';
}

function parseHex(text: string): Uint8Array {
  try {
    return fromHex(text.replace(/[\s:]/g, ''));
  } catch {
    throw new UsageError('the bytes must be given as pairs of hexadecimal digits');
  }
}

function parseOptions(pairs: readonly string[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split('=', 2);
      if (!name || value === undefined) throw new UsageError(`--option ${pair}: expected name=value`);
      return [
        name,
        value === 'true' ? true : value === 'false' ? false : /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
      ];
    }),
  );
}
