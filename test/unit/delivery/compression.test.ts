import { buildConnector } from 'undici';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiTarget, createPusher, type Pusher } from '../../../src/gateway/pusher/index.ts';
import type { Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Receiver } from '../../support/delivery/receiver.ts';
import { position, SpoolFolder, silent } from '../../support/delivery/spool.ts';

const connect = buildConnector({});
let monotonic = 0;
const clock = { ...systemClock, monotonic: () => monotonic };

let connector: buildConnector.connector;
let folder: SpoolFolder;
let receiver: Receiver;
let pusher: Pusher;
beforeEach(async () => {
  folder = await SpoolFolder.make();
  receiver = await Receiver.start();
  receiver.takesGzip = true;
  place(80, 10);
});
afterEach(async () => {
  await pusher.drain(0);
  await receiver.close();
  await folder.remove();
});

/** How long the way to the API and back takes, and how long it works on each request, ms. */
function place(way: number, work: number): void {
  connector = (options, callback) => {
    monotonic += way;
    connect(options, callback);
  };
  receiver.always = (_request, response) => {
    monotonic += way + work;
    response.setHeader('server-timing', `store;dur=${work}`);
    return undefined;
  };
}

/** Pushes two batches, the second when the first has been answered, and a third. */
async function pushThree(spool: Spool, between: () => void = () => {}) {
  const around = { clock, log: silent };
  const at = () => ({ apiUrl: receiver.url, connector });
  const target = apiTarget({ at, spool, authorise: async () => 'token', ...around });
  pusher = createPusher({ spool, target, minRetryMs: 1, maxRetryMs: 4, ...around });
  for (const n of [1, 2, 3]) {
    if (n === 3) between();
    await spool.append([position(`{"n":${n}}`)]);
    await pusher.delivered(n);
  }
  expect(receiver.applied.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(pusher.status().setAside).toBe(0);
  return receiver.requests.map(({ headers }) => headers['content-encoding']);
}

it('records for a distant API that says so are compressed', async () => {
  expect(await pushThree(await folder.open())).toEqual([undefined, 'gzip', 'gzip']);
});

it('records for an API that is near are not, however long it works', async () => {
  place(1, 79);
  expect(await pushThree(await folder.open())).toEqual([undefined, undefined, undefined]);
});

it('an API of an earlier version is sent nothing compressed', async () => {
  receiver.takesGzip = false;
  expect(await pushThree(await folder.open())).toEqual([undefined, undefined, undefined]);
});

it('records that an earlier version has refused because they were compressed are sent again as they are', async () => {
  const downgrade = () => {
    receiver.takesGzip = false;
  };
  expect(await pushThree(await folder.open(), downgrade)).toEqual([undefined, 'gzip', 'gzip', undefined]);
});
