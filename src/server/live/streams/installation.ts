import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/index.ts';
import type { Secrets } from '../../kernel/secrets/index.ts';
import { STREAM_KINDS, type StreamKind, typeOfUrl } from '../brokers/index.ts';
import type { InstallationStream } from '../settings.ts';
import { checkTarget, readOptions } from './schema.ts';
import * as store from './store.ts';
import { sealTarget, targetOf } from './target.ts';

const isKind = (kind: string): kind is StreamKind => (STREAM_KINDS as readonly string[]).includes(kind);

/** Stores the streams of the settings, and deletes those that were removed from the settings. */
export async function saveInstallationStreams(
  ingest: Queryable,
  secrets: Secrets,
  streams: readonly InstallationStream[],
): Promise<void> {
  const rows = streams.flatMap(({ name, url, topic, kinds, options: given }): store.NewStream[] => {
    const type = typeOfUrl(url);
    if (type === undefined) return [];
    const id = `str_${createHash('sha256').update(name).digest('hex').slice(0, 18)}`;
    const options = readOptions(name, given);
    checkTarget(type, { url, options }, kinds);
    const target = sealTarget(secrets, id, targetOf(url, options));
    return [{ id, name, type, target, topic: topic ?? null, kinds: kinds.filter(isKind), vehicles: null }];
  });
  await store.replaceInstallationStreams(ingest, rows);
}
