import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/postgres/index.ts';
import { startTestServer } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the server that all tests of a run share, as its owner */
    databaseServer: string;
    /** name of a database on it with the newest schema and no rows, to copy */
    migratedDatabase: string;
  }
}

const MIGRATED = 'migrated';

/** Starts the server once for the run: making a cluster and its schema takes longer than most test files. */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer({ fsync: 'off', max_connections: '500' });
  const url = await server.database(MIGRATED);
  const database = await openDatabase({ url, log: pino({ level: 'silent' }) });
  await database.close();
  project.provide('databaseServer', Object.assign(new URL(url), { pathname: '/postgres' }).href);
  project.provide('migratedDatabase', MIGRATED);
  return () => server.stop();
}
