import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { AppError } from '../../../platform/errors.ts';

/** Seed of ids of a repeatable request: the same seed gives the same ids. */
export interface Seed {
  readonly key: string;
  /** epoch ms */
  readonly at: number;
}

let serial = 0;

/** `cmd_` and 32 hex digits that begin with the time, so that ids of one process sort by creation. */
export function newCommandId(now: number): string {
  serial = (serial + 1) % 0x1_0000;
  // randomUUID is faster than randomBytes, since Node.js caches random bytes for it
  const random = randomUUID().slice(19).replace('-', '');
  return `cmd_${hexOf(now)}${serial.toString(16).padStart(4, '0')}${random}`;
}

export const commandIdFrom = (seed: Seed, imei: string): string =>
  `cmd_${hexOf(seed.at)}${digest(`${seed.key}/${imei}`)}`;

export const newBatchId = (now: number): string => `bat_${hexOf(now)}${randomBytes(10).toString('hex')}`;
export const batchIdFrom = (seed: Seed): string => `bat_${hexOf(seed.at)}${digest(seed.key)}`;

export const isCommandId = (text: string): boolean => /^cmd_[0-9a-f]{32}$/.test(text);

/** No device or command has this id. Ids of commands that are truncated or mistyped are recognized as such. */
export const notFound = (id: string): AppError =>
  new AppError(id.startsWith('cmd_') ? 'unknown-command' : 'unknown-device');

const hexOf = (epochMs: number): string => Math.floor(epochMs).toString(16).padStart(12, '0');
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20);
