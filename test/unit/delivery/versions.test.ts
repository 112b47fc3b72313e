import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gatewayEvent } from '../../../src/contract/events.ts';
import { RECORDS_VERSION, versionOf } from '../../../src/contract/versions.ts';
import { apiTarget, createPusher, type Pusher } from '../../../src/gateway/pusher/index.ts';
import { EVENT, type Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Receiver } from '../../support/delivery/receiver.ts';
import { position, SpoolFolder, silent } from '../../support/delivery/spool.ts';

/** Types of events that the API of 0.1.0 reads. */
const FIRST = [
  'answer',
  'clock',
  'file',
  'frame',
  'frame-undecoded',
  'gateway-started',
  'heartbeat',
  'knock',
  'not-sent',
  'position',
  'sent',
  'session-closed',
  'session-opened',
  'taken',
];

it('every type of event that 0.1.0 does not read has a later version, and none is beyond that of this API', () => {
  const types = gatewayEvent.options.map(({ shape }) => shape.type.value);
  expect(types.filter((type) => versionOf(type) === 1).sort()).toEqual(FIRST);
  expect(Math.max(...types.map(versionOf))).toBe(RECORDS_VERSION);
  for (const unknown of ['constructor', 'no-such-event']) expect(versionOf(unknown), unknown).toBe(1);
});

let folder: SpoolFolder;
let receiver: Receiver;
const pushers: Pusher[] = [];
beforeEach(async () => {
  folder = await SpoolFolder.make();
  receiver = await Receiver.start();
});
afterEach(async () => {
  for (const pusher of pushers.splice(0)) await pusher.drain(0);
  await receiver.close();
  await folder.remove();
});

function pushToApi(spool: Spool): Pusher {
  const common = { clock: systemClock, log: silent };
  const target = apiTarget({ at: () => ({ apiUrl: receiver.url }), spool, authorise: async () => 'token', ...common });
  const pusher = createPusher({ spool, target, minRetryMs: 1, maxRetryMs: 4, ...common });
  pushers.push(pusher);
  return pusher;
}

describe('an API of an earlier version', () => {
  const event = (type: string, at = 5) => ({
    kind: EVENT,
    bytes: Buffer.from(`{"type":"${type}","imei":"1","at":${at}}`),
  });
  const isNew = ({ type }: { type: string }) => type === 'login-refused';
  const codes = (spool: Spool) =>
    spool
      .setAside('api')
      .list()
      .map(({ code, subject }) => `${subject.what} ${code}`);
  const applied = () => receiver.applied.map(({ line }) => line['type']);

  it('has what it cannot read kept, and sent again once it can, after a restart too', async () => {
    const spool = await folder.open();
    receiver.rejects = (line) => isNew(line) || line.type === 'odd';
    await spool.append([event('login-refused'), event('odd'), position('{"n":3}')]);
    const pusher = pushToApi(spool);
    await pusher.delivered(3);
    expect(codes(spool)).toEqual(['login-refused newer-than-target', 'odd invalid']);
    expect(applied()).toEqual(['position']);
    await pusher.drain(1_000);
    await folder.close(spool);
    const again = await folder.open();
    await again.append([event('login-refused', 6)]);
    const next = pushToApi(again);
    await next.delivered(4);
    expect(codes(again)).toHaveLength(3);
    receiver.rejects = ({ type }) => type === 'odd';
    receiver.reads = RECORDS_VERSION;
    await again.append([position('{"n":5}')]);
    await receiver.until(() => receiver.applied.length === 4);
    expect(applied().slice(1).sort()).toEqual(['login-refused', 'login-refused', 'position']);
    await next.delivered(again.lastSeq);
    await expect.poll(() => codes(again)).toEqual(['odd invalid']);
  });

  it('gets them again and again where its version changes back and forth, and none is lost', async () => {
    const spool = await folder.open();
    receiver.rejects = isNew;
    await spool.append([event('login-refused')]);
    const pusher = pushToApi(spool);
    await pusher.delivered(1);
    receiver.reads = RECORDS_VERSION;
    await spool.append([position('{"n":2}')]);
    // it says that it reads them and does not: they were sent again, and have its reason now
    await expect.poll(() => codes(spool)).toEqual(['login-refused invalid']);
    receiver.reads = undefined;
    await spool.append([event('login-refused', 6)]);
    await pusher.delivered(spool.lastSeq);
    receiver.rejects = () => false;
    receiver.reads = RECORDS_VERSION;
    await spool.append([position('{"n":4}')]);
    await receiver.until(() => applied().includes('login-refused'));
    await expect.poll(() => codes(spool)).toEqual(['login-refused invalid']);
  });
});
