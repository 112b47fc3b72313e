import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DAY_MS } from '../../../platform/durations.ts';
import type { Log } from '../../../platform/log.ts';
import { createPollLoop, type PollLoop } from '../../../platform/poll-loop.ts';
import type { Reader } from '../reader/index.ts';
import * as store from './store.ts';

export interface ReverifyDeps {
  readonly ingest: pg.Pool;
  readonly reader: Reader;
  readonly roots: readonly Uint8Array[];
  readonly log: Log;
  /** drivers are to be analyzed again */
  readonly onChange: () => void;
}

const FIRST_AFTER_MS = 1_000;

/** Files that could not be verified are verified again once other root certificates are configured. */
export function createReverification({ ingest, reader, roots, log, onChange }: ReverifyDeps): PollLoop {
  const digests = roots.map((bytes) => createHash('sha256').update(bytes).digest('hex')).sort();
  const fingerprint = createHash('sha256').update(digests.join()).digest('hex').slice(0, 32);
  return createPollLoop({
    everyMs: DAY_MS,
    firstAfterMs: FIRST_AFTER_MS,
    async round() {
      if (roots.length === 0) return false;
      const file = await store.nextUnverifiable(ingest, fingerprint);
      if (file === undefined) return false;
      const facts = await reader.ask('read', { bytes: file.bytes });
      const result = facts === undefined ? undefined : { verdict: facts.verdict, signatures: facts.signatures };
      await store.saveVerification(ingest, file, fingerprint, result);
      if (result !== undefined && result.verdict !== 'unverifiable') onChange();
      return true;
    },
    onError: (error) => log.warn({ reason: error.message }, 'the verification of stored tachograph files waits'),
  });
}
