import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiTarget, createPusher, type Pusher } from '../../../src/gateway/pusher/index.ts';
import type { Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Receiver, status } from '../../support/delivery/receiver.ts';
import { position, SpoolFolder, silent } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
let receiver: Receiver;
let pusher: Pusher;
const around = { clock: systemClock, log: silent };
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const appliedSeqs = () => receiver.applied.map(({ seq }) => seq);

beforeEach(async () => {
  folder = await SpoolFolder.make();
  receiver = await Receiver.start();
});
afterEach(async () => {
  await pusher.drain(0);
  await receiver.close();
  await folder.remove();
});

async function filled(count: number): Promise<Spool> {
  const spool = await folder.open();
  await spool.append(numbers(1, count).map((index) => position(`{"n":${index}}`)));
  return spool;
}

function pushToApi(spool: Spool): Pusher {
  const target = apiTarget({ at: () => ({ apiUrl: receiver.url }), spool, authorise: async () => 'token', ...around });
  pusher = createPusher({ spool, target, minRetryMs: 1, maxRetryMs: 4, ...around });
  return pusher;
}

describe('pipelined batches', () => {
  it('a full batch is sent while the previous one is in flight, and names it', async () => {
    const spool = await filled(40_000);
    let answerFirst = () => {};
    receiver.script.push((request, response, self) => {
      answerFirst = () => response.end(JSON.stringify(self.apply(request)));
      return true;
    });
    receiver.isPatient = true;
    pushToApi(spool);
    await receiver.until(() => receiver.requests.length === 2);
    expect(receiver.requests.map(({ path }) => path.replace(/^.*clock=\d+/, ''))).toEqual([
      '',
      '&after=16000&settled=0',
    ]);
    expect(spool.cursor('api').seq).toBe(0);
    answerFirst();
    await pusher.delivered(40_000);
    expect(appliedSeqs()).toEqual(numbers(1, 40_000));
    // the rest is not full: it has waited until nothing was on its way
    expect(receiver.requests.map(({ lines }) => lines.length)).toEqual([16_000, 16_000, 8_000]);
    expect(receiver.requests[2]!.path).not.toContain('after');
  });

  it('a batch is sent again if it arrived before the previous one was accepted', async () => {
    const spool = await filled(40_000);
    receiver.script.push(status(503));
    await pushToApi(spool).delivered(40_000);
    expect(receiver.requests.slice(0, 4).map(({ lines }) => lines[0]!.seq)).toEqual([1, 16_001, 1, 16_001]);
    expect(appliedSeqs()).toEqual(numbers(1, 40_000));
  });
});
