import { simulatedImei } from '../../src/simulation/index.ts';
import { ask, type Bench } from './services.ts';

/** A large fleet that is offline while commands are queued for it. */
export interface Backlog {
  /** the number of its first device */
  readonly first: number;
  readonly devices: number;
}

const IN_A_BATCH = 10_000;

export const deviceOf = ({ first, devices }: Backlog, n: number): string => simulatedImei(first + (n % devices));

/** Enqueues by the batch call until so many are pending, one device after another. */
export async function fill(bench: Bench, backlog: Backlog, from: number, to: number): Promise<void> {
  const { devices } = backlog;
  for (let at = from; at < to; ) {
    const count = Math.min(IN_A_BATCH, to - at, devices - (at % devices));
    const imeis = Array.from({ length: count }, (_, n) => deviceOf(backlog, at + n));
    const order = { imeis, gprsCommand: 'getinfo', ttlSeconds: 30 * 86_400 };
    const { commands } = await ask<{ commands: { problem?: object }[] }>(
      bench,
      'POST',
      '/v1/gprsCommands/batch',
      order,
    );
    const refused = commands.find(({ problem }) => problem !== undefined);
    if (refused !== undefined) throw new Error(JSON.stringify(refused));
    at += count;
  }
}
