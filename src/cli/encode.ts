import type { Command } from 'commander';
import { CodecError, type CommandParameters, type DeviceOptions, toHex } from '#codec';
import { type Catalogue, loadCatalogue } from '../codec/catalogue/index.ts';
import { systemClock } from '../platform/clock.ts';
import { stdinLines, writeJsonLine } from './lines.ts';
import { UsageError } from './usage.ts';

export interface CommandLine {
  readonly protocol: string;
  readonly deviceId: string;
  readonly type: string;
  readonly attributes?: CommandParameters;
  readonly options?: DeviceOptions;
}

export function register(program: Command): void {
  program
    .command('encode')
    .description('encode a command: one from the command line, or JSON lines from stdin')
    .argument('[codec]', 'name of a codec or service')
    .argument('[device]', 'device id')
    .argument('[type]', 'command type; for custom, pass data=TEXT')
    .argument('[params...]', 'name=value')
    .option('--jsonl', '{"protocol","deviceId","type","attributes"} lines in, {"hex"} or {"error"} lines out')
    .action(async (codec, device, type, params: string[], options: { jsonl?: true }) => {
      const catalogue = await loadCatalogue();
      if (options.jsonl) {
        for await (const line of stdinLines())
          await writeJsonLine(encodeCommand(catalogue, JSON.parse(line) as CommandLine));
        return;
      }
      if (type === undefined)
        throw new UsageError('usage: encode <codec> <device> <type> [name=value…], or encode --jsonl');
      const attributes = Object.fromEntries(params.map((p) => [p.split('=', 1)[0]!, p.slice(p.indexOf('=') + 1)]));
      const result = encodeCommand(catalogue, { protocol: codec, deviceId: device, type, attributes });
      if ('error' in result) throw new UsageError(result.error);
      process.stdout.write(`${result.hex}\n`);
    });
}

/** Encodes by the first codec of the service that takes the command. */
export function encodeCommand(catalogue: Catalogue, line: CommandLine): { hex: string } | { error: string } {
  const codecs = catalogue.named(line.protocol);
  if (codecs.length === 0) return { error: `no codec or service is called ${line.protocol}` };
  for (const protocol of codecs) {
    const command = Object.hasOwn(protocol.commands, line.type) ? protocol.commands[line.type] : undefined;
    if (command === undefined) continue;
    const state = protocol.initialState(line.deviceId);
    const context = {
      state,
      deviceId: line.deviceId,
      options: line.options ?? {},
      ticket: '0',
      now: systemClock.now(),
    };
    try {
      return { hex: toHex(command.encode(line.attributes ?? {}, context)) };
    } catch (error) {
      if (error instanceof CodecError) return { error: error.message };
      throw error;
    }
  }
  const known = [...new Set(codecs.flatMap((p) => Object.keys(p.commands)))].sort();
  return { error: `${line.protocol} takes ${known.join(', ') || 'no commands'}; not ${line.type}` };
}
