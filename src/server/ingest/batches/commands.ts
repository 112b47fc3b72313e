import type { Queryable } from '../../database/index.ts';
import type { CommandChanges, CommandEvents } from './batch.ts';
import { NO_FRAMES } from './packed-frames.ts';
import type { ResolvedEvent } from './statements.ts';

const NO_CHANGES: CommandChanges = { apply: async () => {}, afterCommit: () => {} };

/** Locks sessions in the order that all writers keep, before anything is written. */
export async function loadCommands(
  tx: Queryable,
  gateway: string,
  items: readonly ResolvedEvent[],
  commands: CommandEvents | undefined,
  frames = NO_FRAMES,
): Promise<CommandChanges> {
  if (commands === undefined) return NO_CHANGES;
  const touched = new Set(frames.devices.flatMap((device) => device?.id ?? []));
  const events: Parameters<CommandEvents['load']>[2][number][] = [];
  for (const { event, device } of items) {
    if (event.type === 'position' || event.type === 'packed') continue;
    if (device !== undefined && event.type !== 'file' && event.type !== 'knock') touched.add(device.id);
    if (commands.eventTypes.has(event.type)) events.push({ event, deviceId: device?.id });
  }
  return events.length === 0 && touched.size === 0 ? NO_CHANGES : commands.load(tx, gateway, events, touched);
}
