import { totalmem } from 'node:os';

/**
 * Memory that this process may use, bytes: the limit of its control group (a container, a systemd slice) or that of
 * the machine. Node.js reports a huge number, or 0, if no limit is set.
 */
export function availableMemory(limit: number = process.constrainedMemory(), machine: number = totalmem()): number {
  return limit > 0 && limit < machine ? limit : machine;
}
