import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Outbound } from '../outbound/index.ts';

/**
 * The head of a tenant's chain, stored outside of the database. A chain that does not contain it was truncated or
 * replaced.
 */
export interface Anchor {
  /** ISO 8601 */
  readonly at: string;
  readonly tenantId: number;
  readonly block: number;
  /** hex */
  readonly hash: string;
}

/** Stores anchors. Throws on failure; the caller retries with the same anchors. */
export type WriteAnchors = (anchors: readonly Anchor[]) => Promise<void>;

const POST_TIMEOUT_MS = 10_000;

/** One JSON object per line; lines are only appended. */
export function anchorFile(path: string): WriteAnchors {
  return async (anchors) => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    try {
      await file.appendFile(anchors.map((anchor) => `${JSON.stringify(anchor)}\n`).join(''));
      await file.datasync();
    } finally {
      await file.close();
    }
  };
}

/** POST of `{"anchors": [...]}`. */
export function anchorWebhook(url: string, outbound: Pick<Outbound, 'post'>): WriteAnchors {
  return async (anchors) => {
    const headers = { 'user-agent': 'Fleetgate' };
    const status = await outbound.post(url, JSON.stringify({ anchors }), headers, AbortSignal.timeout(POST_TIMEOUT_MS));
    if (status < 200 || status >= 300) throw new Error(`the receiver of audit anchors answered with status ${status}`);
  };
}

const line = z.object({ at: z.string(), tenantId: z.int(), block: z.int(), hash: z.string().regex(/^[0-9a-f]{64}$/) });

/** Anchors of the file. An incomplete last line is ignored; other invalid lines throw. */
export function readAnchorFile(path: string): readonly Anchor[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((text, i) => {
    try {
      return line.parse(JSON.parse(text));
    } catch {
      throw new Error(`${path}:${i + 1} is not an anchor`);
    }
  });
}
