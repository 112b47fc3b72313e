import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/database/index.ts';
import { type ContainerServer, startPostgresContainer } from './containers.ts';
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

/**
 * Starts the server once for the project: making a cluster and its schema takes longer than most test files. It is the
 * embedded one, or where the project names an image one in a container.
 */
export default async function startSharedServer(project: TestProject): Promise<() => Promise<void>> {
  const { env } = project.config as { env?: Record<string, string> };
  const image = env?.['FLEETGATE_TEST_POSTGRES'];
  const server = image === undefined ? await startEmbedded() : await startPostgresContainer(image);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(`create database "${MIGRATED}"`);
  await client.end();
  const url = Object.assign(new URL(server.url), { pathname: `/${MIGRATED}` }).href;
  const database = await openDatabase({ url, log: pino({ level: 'silent' }) });
  await database.close();
  project.provide('databaseServer', server.url);
  project.provide('migratedDatabase', MIGRATED);
  return () => server.stop();
}

async function startEmbedded(): Promise<ContainerServer> {
  const server = await startTestServer({ fsync: 'off', max_connections: '500' });
  const url = Object.assign(new URL(await server.database()), { pathname: '/postgres' }).href;
  return { url, stop: () => server.stop() };
}
