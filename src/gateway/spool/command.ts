import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { askHolder } from './lock-socket.ts';
import { operate, type SpoolCommand, type SpoolCommandAnswer } from './operate.ts';
import { knownTargets } from './set-aside-files.ts';
import { openSpool } from './spool.ts';

const ANSWER_MS = 60_000;

/**
 * The same from another process: by the gateway that holds the folder, through the socket of its lock; if none runs, by
 * opening the spool for the duration of the command.
 */
export async function commandSpool(
  folder: string,
  request: SpoolCommand,
  { clock, log, maxBytes }: { readonly clock: Clock; readonly log: Log; readonly maxBytes: number },
): Promise<SpoolCommandAnswer> {
  const answer = await askHolder(folder, request, ANSWER_MS);
  if (answer !== undefined) return answer as SpoolCommandAnswer;
  const targets = await knownTargets(folder);
  const spool = await openSpool({ folder, targets, syncMs: 0, maxBytes, minFreeBytes: 0, clock, log });
  try {
    return await operate(spool, request);
  } finally {
    await spool.close();
  }
}
