import { afterEach, beforeEach, expect, it } from 'vitest';
import { apiTarget, createPusher, type Pusher } from '../../../src/gateway/pusher/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Receiver, status } from '../../support/delivery/receiver.ts';
import { position, SpoolFolder, silent } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
let receiver: Receiver;
let pusher: Pusher;

beforeEach(async () => {
  folder = await SpoolFolder.make();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await pusher.drain(0);
  await receiver.close();
  await folder.remove();
});

it('a full store of set-aside records stops the pusher with a reason of its own, and nothing is lost', async () => {
  const spool = await folder.open({ setAsideMaxBytes: 1_024 });
  const store = spool.setAside('api');
  const large = { ...position(JSON.stringify('x'.repeat(500))), code: 'invalid', detail: 'test' };
  await store.add([{ ...large, seq: 1_000 }], 1);
  await spool.append([position(JSON.stringify('y'.repeat(500))), position('{"n":2}')]);
  receiver.always = (request, response, api) =>
    request.lines.some(({ seq }) => seq === 1) ? status(400)(request, response, api) : undefined;
  const common = { clock: systemClock, log: silent };
  const at = () => ({ apiUrl: receiver.url });
  const target = apiTarget({ at, spool, authorise: async () => 'token', ...common });
  pusher = createPusher({ spool, target, minRetryMs: 1, maxRetryMs: 4, ...common });
  await expect.poll(() => pusher.status().trouble?.code).toBe('set-aside-full');
  expect(spool.cursor('api').seq).toBe(0);
  expect(store.isFull).toBe(true);
  await store.remove(['api-1000']);
  await pusher.delivered(2);
  expect(store.list()).toMatchObject([{ id: 'api-1' }]);
  expect(pusher.status().trouble).toBeUndefined();
});
