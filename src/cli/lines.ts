import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Non-empty lines of stdin, as they arrive. */
export async function* stdinLines(): AsyncGenerator<string> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() !== '') yield line;
  }
}

/** One JSON line on stdout; waits while the reader is slow. */
export async function writeJsonLine(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, 'drain');
}
