// Claims every kind of leased job and renews the leases until it is killed: `<database URL> <lease in ms>`.
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '../../dist/src/server/database/index.js';
import * as feed from '../../dist/src/server/ingest/feed/store.js';
import * as callbacks from '../../dist/src/server/live/callbacks/store.js';
import * as streams from '../../dist/src/server/live/streams/store.js';
import * as reports from '../../dist/src/server/reports/schedules/store.js';
import * as analysis from '../../dist/src/server/tachograph/analysis/store.js';
import * as remote from '../../dist/src/server/tachograph/remote/store.js';

const [url, lease] = process.argv.slice(2);
const leaseMs = Number(lease);
const { ingest } = await openDatabase({ url, log: pino({ level: 'silent' }) });

const deliveries = await callbacks.claimDeliveries(ingest, {
  limit: 9,
  perHost: 9,
  busyHosts: [],
  leaseMs: 2 * leaseMs,
});
const run = await reports.claimRun(ingest, leaseMs);
const driver = await analysis.claimDriver(ingest, '1.0.0', leaseMs);
const file = await remote.claimDeviceFile(ingest, leaseMs);
const hold = async () => [
  await streams.holdStreams(ingest, 'killed', leaseMs, 9),
  await feed.holdShards(ingest, { owner: 'killed', names: ['a'], leaseMs, most: 1 }),
];
const held = await hold();
process.stdout.write(
  JSON.stringify([deliveries.length, run ? 1 : 0, driver ? 1 : 0, file ? 1 : 0, ...held.map((rows) => rows.length)]),
);

for (;;) {
  await reports.renewRun(ingest, run, leaseMs);
  await analysis.renewDriver(ingest, driver, leaseMs);
  await remote.renewDeviceFile(ingest, file, leaseMs);
  await hold();
  await sleep(leaseMs / 6);
}
