import { readFileSync } from 'node:fs';
import type { ApiDeps } from '../deps.ts';
import type { App } from '../http/server.ts';
import type { Identity } from '../identity.ts';
import { addFileRoutes } from './files/routes.ts';
import { createFiles } from './files/service.ts';
import { createReader } from './reader/index.ts';
import { limitsOf } from './settings.ts';

export interface Tachograph {
  close(): Promise<void>;
}

/** Tachograph files and what is made of them. */
export async function addTachograph(app: App, { cursors }: Identity, deps: ApiDeps): Promise<Tachograph> {
  const { settings, database, clock, log } = deps;
  const limits = limitsOf(settings);
  const reader = createReader({
    threads: settings.DDD_WORKERS ?? 1,
    roots: (settings.DDD_ROOTS ?? []).map((path) => readFileSync(path)),
    script: deps.tachographWorker,
    log,
  });
  const files = createFiles({ pool: database.app, reader, cursors, clock, onChange: () => {} });
  await addFileRoutes(app, files, limits);
  return { close: () => reader.close() };
}
