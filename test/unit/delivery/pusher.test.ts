import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiTarget, createPusher, type Pusher, pushTarget } from '../../../src/gateway/pusher/index.ts';
import { EVENT, type Spool } from '../../../src/gateway/spool/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { type Behaviour, Receiver, status } from '../../support/delivery/receiver.ts';
import { position, SpoolFolder, silent } from '../../support/delivery/spool.ts';

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

interface PushOptions {
  authorise?: () => Promise<string>;
  timeoutMs?: number;
}

function pushToApi(spool: Spool, { authorise = async () => 'token-1', timeoutMs = 5_000 }: PushOptions = {}): Pusher {
  const common = { clock: systemClock, log: silent };
  const target = apiTarget({ at: () => ({ apiUrl: receiver.url }), spool, authorise, timeoutMs, ...common });
  return track(createPusher({ spool, target, minRetryMs: 1, maxRetryMs: 4, ...common }));
}

function track(pusher: Pusher): Pusher {
  pushers.push(pusher);
  return pusher;
}

const around = { clock: systemClock, log: silent };

function misbehave(step: 'fine' | 'lost' | '500' | '429' | '401' | '400' | 'hang', check: () => void): Behaviour {
  return (request, response, api) => {
    check();
    if (step === 'fine') return undefined;
    if (step === 'hang') return true;
    if (step !== 'lost') return status(Number(step), { 'retry-after': '0' })(request, response, api);
    api.apply(request);
    response.req.socket.resetAndDestroy();
    return true;
  };
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const appliedSeqs = () => receiver.applied.map(({ seq }) => seq);
const poisonous = (seq: number) => (request: { lines: readonly { seq: number }[] }) =>
  request.lines.some((line) => line.seq === seq);

async function filled(count: number): Promise<Spool> {
  const spool = await folder.open();
  await spool.append(numbers(1, count).map((index) => position(`{"n":${index}}`)));
  return spool;
}

describe('pushing to the API', () => {
  it('sends positions and events as lines with their sequence, bytes as they are stored', async () => {
    const spool = await folder.open();
    await spool.append([
      position('{"deviceId": "é","x":1.0}'),
      { kind: EVENT, bytes: Buffer.from('{"type":"heartbeat","at":5}') },
    ]);
    await pushToApi(spool).delivered(2);
    const [request] = receiver.requests;
    expect(request!.body).toBe(
      '{"seq":1,"type":"position","position":{"deviceId": "é","x":1.0}}\n{"seq":2,"type":"heartbeat","at":5}\n',
    );
    expect(request!.path).toMatch(new RegExp(`^/v1/internal/events\\?spool=${spool.id}&clock=\\d{13}$`));
    expect(request!.headers.authorization).toBe('Bearer token-1');
    expect(request!.headers['content-type']).toBe('application/vnd.fleetgate.records');
  });

  it('keeps to 16,000 records and 4 MiB a request, and to the order', async () => {
    const spool = await folder.open();
    await spool.append(numbers(1, 33_000).map((index) => position(`{"n":${index}}`)));
    await spool.append(numbers(1, 120).map((index) => position(`{"n":${index},"x":"${'y'.repeat(100_000)}"}`)));
    await pushToApi(spool).delivered(33_120);
    expect(appliedSeqs()).toEqual(numbers(1, 33_120));
    for (const { lines, headers } of receiver.requests) {
      expect(lines.length).toBeLessThanOrEqual(16_000);
      expect(Number(headers['content-length'])).toBeLessThanOrEqual(4_194_304);
    }
    expect(receiver.requests.slice(0, 2).map(({ lines }) => lines.length)).toEqual([16_000, 16_000]);
  });

  it('sends a record larger than a request alone', async () => {
    const spool = await folder.open();
    await spool.append([position('{}'), position(`{"x":"${'y'.repeat(4_300_000)}"}`), position('{}')]);
    await pushToApi(spool).delivered(3);
    expect(receiver.requests.map(({ lines }) => lines.length)).toEqual([1, 1, 1]);
  });

  it('confirms in order the records that arrive while it pushes, and notifies of it', async () => {
    const spool = await folder.open();
    const pusher = pushToApi(spool);
    for (const index of numbers(1, 50)) {
      const { last } = await spool.append([position(`{"n":${index}}`)]);
      await pusher.delivered(last);
      expect(receiver.lastSeq.get(spool.id)).toBe(last);
    }
    expect(appliedSeqs()).toEqual(numbers(1, 50));
    expect(pusher.status()).toMatchObject({ target: 'api', settledSeq: 50, pushed: 50, trouble: undefined });
  });

  it.each([500, 502, 503, 401, 403, 404, 405, 409, 429, 302])(
    'sets nothing aside for a %i: it waits, says why and sends the same again',
    async (code) => {
      const spool = await filled(3);
      receiver.always = status(code, { location: '/elsewhere' }, '{"detail":"not now"}');
      const pusher = pushToApi(spool);
      await receiver.until(() => receiver.requests.length >= 3);
      expect(pusher.status().trouble).toMatchObject({ code: `http-${code}`, detail: 'not now' });
      expect(spool.cursor('api').seq).toBe(0);
      receiver.always = undefined;
      await pusher.delivered(3);
      expect(appliedSeqs()).toEqual([1, 2, 3]);
      expect(pusher.status()).toMatchObject({ trouble: undefined, setAside: 0 });
    },
  );

  it('waits as long as Retry-After says', async () => {
    const spool = await filled(1);
    receiver.script.push(status(429, { 'retry-after': '3600' }));
    const pusher = pushToApi(spool);
    await receiver.until(() => receiver.requests.length === 1);
    while (pusher.status().trouble === undefined) await new Promise(setImmediate);
    const { trouble, state } = pusher.status();
    expect(state).toBe('waiting');
    expect(trouble!.retryAt - trouble!.since).toBe(3_600_000);
  });

  it('gets a new token for a 401 and goes on at once', async () => {
    const spool = await filled(2);
    let tokens = 0;
    receiver.script.push(() => undefined, status(401));
    const pusher = pushToApi(spool, { authorise: async () => `token-${++tokens}` });
    await pusher.delivered(2);
    await spool.append([position('{}')]);
    await pusher.delivered(3);
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(pusher.status().trouble).toBeUndefined();
  });

  it('waits while no token can be had', async () => {
    const spool = await filled(1);
    let asked = 0;
    const authorise = async () => {
      if (++asked < 4) throw new Error('no token today');
      return 'token';
    };
    await pushToApi(spool, { authorise }).delivered(1);
    expect(asked).toBe(4);
  });

  it('keeps the records that a 2xx response lists as rejected, and confirms the rest', async () => {
    const spool = await filled(5);
    receiver.rejects = ({ seq }) => seq === 2 || seq === 5;
    await pushToApi(spool).delivered(5);
    expect(appliedSeqs()).toEqual([1, 3, 4]);
    expect(spool.setAside('api').list()).toMatchObject([
      { id: 'api-2', seq: 2, code: 'invalid', detail: 'refused by the test', kind: 1 },
      { id: 'api-5', seq: 5 },
    ]);
    expect((await spool.setAside('api').show('api-2'))?.bytes.toString()).toBe('{"n":2}');
  });

  it.each([400, 413, 422])('halves a batch refused with %i down to the one record at fault', async (code) => {
    const spool = await filled(100);
    const isBad = poisonous(37);
    receiver.always = (request, response, self) =>
      isBad(request) ? status(code, {}, '{"title":"bad line"}')(request, response, self) : undefined;
    await pushToApi(spool).delivered(100);
    expect(appliedSeqs()).toEqual(numbers(1, 100).filter((seq) => seq !== 37));
    expect(spool.setAside('api').list()).toMatchObject([{ seq: 37, code: `http-${code}`, detail: 'bad line' }]);
  });

  it('keeps all bytes of a rejected event', async () => {
    const spool = await folder.open();
    const bytes = Buffer.from('{"type":"answer","text":"\\u0000é"}');
    await spool.append([{ kind: EVENT, bytes }]);
    receiver.rejects = () => true;
    await pushToApi(spool).delivered(1);
    expect(await spool.setAside('api').show('api-1')).toMatchObject({ kind: EVENT, bytes });
  });

  it('does not accept the page of a proxy as an answer', async () => {
    const spool = await filled(2);
    receiver.script.push(status(200, { 'content-type': 'text/html' }, '<html>Welcome to the hotel</html>'));
    await pushToApi(spool).delivered(2);
    expect(receiver.requests).toHaveLength(2);
    expect(appliedSeqs()).toEqual([1, 2]);
  });

  it('does not settle what the API has not stored', async () => {
    const spool = await filled(2);
    receiver.script.push(status(200, {}, '{"lastSeq":1,"rejected":[]}'));
    await pushToApi(spool).delivered(2);
    expect(appliedSeqs()).toEqual([1, 2]);
  });

  it('applies a batch once whose answer was lost', async () => {
    const spool = await filled(10);
    receiver.script.push((request, response, self) => {
      self.apply(request);
      response.req.socket.resetAndDestroy();
      return true;
    });
    await pushToApi(spool).delivered(10);
    expect(receiver.requests).toHaveLength(2);
    expect(appliedSeqs()).toEqual(numbers(1, 10));
  });

  it('gives up on a request that hangs and sends it again', async () => {
    const spool = await filled(2);
    receiver.script.push(() => true);
    const pusher = pushToApi(spool, { timeoutMs: 50 });
    await pusher.delivered(2);
    // the second may be slow too
    expect(receiver.requests.length).toBeGreaterThanOrEqual(2);
    expect(appliedSeqs()).toEqual([1, 2]);
  });

  it('reports a lag from the moment that a record is safe until it is settled', async () => {
    const spool = await filled(2);
    const pusher = pushToApi(spool);
    expect(pusher.status().lagSeconds).toBeGreaterThan(0);
    await pusher.delivered(2);
    expect(pusher.status().lagSeconds).toBe(0);
    const appended = spool.append([position('{"n":3}')]);
    while (spool.lastSeq < 3) await new Promise(setImmediate);
    expect(pusher.status().lagSeconds).toBeGreaterThan(0);
    await appended;
    await pusher.delivered(3);
    expect(pusher.status().lagSeconds).toBe(0);
  });

  it('reports that the target cannot be reached, and continues when it can', async () => {
    const spool = await filled(2);
    await receiver.close();
    const pusher = pushToApi(spool);
    while (pusher.status().trouble === undefined) await new Promise(setImmediate);
    expect(pusher.status().trouble).toMatchObject({ code: 'network' });
    expect(pusher.status().lagSeconds).toBeGreaterThanOrEqual(0);
    expect(spool.cursor('api').seq).toBe(0);
    receiver = await Receiver.start(receiver.port);
    await pusher.delivered(2);
    expect(appliedSeqs()).toEqual([1, 2]);
  });

  it('sends unconfirmed records after a restart, and applies none twice', async () => {
    const spool = await filled(10);
    receiver.script.push((request, _response, self) => {
      self.apply(request);
      return true;
    });
    const pusher = pushToApi(spool);
    await receiver.until(() => receiver.applied.length === 10);
    await pusher.drain(0);
    expect(spool.cursor('api').seq).toBe(0);
    await folder.close(spool);
    const again = await folder.open();
    await again.append([position('{"n":11}')]);
    await pushToApi(again).delivered(11);
    expect(appliedSeqs()).toEqual(numbers(1, 11));
  });

  it('takes a new id when the API knows later records than were ever sent', async () => {
    const spool = await filled(5);
    const { id } = spool;
    receiver.lastSeq.set(id, 900);
    await pushToApi(spool).delivered(5);
    expect(spool.id).not.toBe(id);
    expect(receiver.applied.map(({ spool: of, seq }) => [of, seq])).toEqual(
      numbers(1, 5).map((seq) => [spool.id, seq]),
    );
    await folder.close(spool);
    expect((await folder.open()).id).not.toBe(id);
  });

  it('never moves the cursor past a record that is neither applied nor rejected, whatever the API does', async () => {
    const kinds = ['fine', 'lost', '500', '429', '401', '400', 'hang'] as const;
    const steps = fc.array(fc.constantFrom(...kinds), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(30), fc.constantFrom(5, 1_000), async (steps, bad, maxLines) => {
        const own = await SpoolFolder.make();
        const spool = await own.open();
        const api = await Receiver.start();
        const isSafe = (seq: number) =>
          api.applied.some((line) => line.seq === seq) ||
          spool
            .setAside('api')
            .list()
            .some((entry) => entry.seq === seq);
        const passed: number[] = [];
        const check = () => passed.push(...numbers(1, spool.cursor('api').seq).filter((seq) => !isSafe(seq)));
        api.rejects = ({ seq }) => seq === bad;
        api.script.push(...steps.map((step) => misbehave(step, check)));
        api.always = misbehave('fine', check);
        await spool.append(numbers(1, 20).map((index) => position(`{"n":${index}}`)));
        const at = () => ({ apiUrl: api.url });
        const whole = apiTarget({ at, spool, authorise: async () => 't', timeoutMs: 30, ...around });
        const target = { ...whole, format: { ...whole.format, maxLines } };
        const pusher = createPusher({ spool, target, minRetryMs: 0, maxRetryMs: 1, ...around });
        await spool.append(numbers(21, 40).map((index) => position(`{"n":${index}}`)));
        await pusher.delivered(40);
        check();
        await pusher.drain(0);
        await api.close();
        await own.remove();
        expect(passed).toEqual([]);
        const seqs = api.applied.map(({ seq }) => seq);
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });

  it('pushes the remaining records before it stops', async () => {
    const spool = await filled(1_500);
    const pusher = pushToApi(spool);
    await pusher.drain(10_000);
    expect(spool.cursor('api').seq).toBe(1_500);
    expect(pusher.status().state).toBe('stopped');
  });

  it('stops in time although the target hangs', async () => {
    const spool = await filled(3);
    receiver.always = () => true;
    const pusher = pushToApi(spool, { timeoutMs: 60_000 });
    await receiver.until(() => receiver.requests.length === 1);
    await pusher.drain(10);
    expect(spool.cursor('api').seq).toBe(0);
  });
});

describe('pushing to an outside target', () => {
  function pushOutside(spool: Spool): Pusher {
    const target = pushTarget({ url: `${receiver.url}/in?x=1`, token: 'secret', clock: systemClock });
    return track(createPusher({ spool, target, clock: systemClock, log: silent, minRetryMs: 1, maxRetryMs: 4 }));
  }

  it('sends positions only, as a list, with the bearer token', async () => {
    const spool = await folder.open({ targets: ['push'] });
    await spool.append([position('{"n":1}'), { kind: EVENT, bytes: Buffer.from('{}') }, position('{"n": 3}')]);
    await spool.append([{ kind: EVENT, bytes: Buffer.from('{}') }]);
    await pushOutside(spool).delivered(4);
    expect(receiver.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/in?x=1', '{"positions":[{"n":1},{"n": 3}]}'],
    ]);
    expect(receiver.requests[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    });
  });

  it('adds the names of elements where they are asked for', async () => {
    const spool = await folder.open({ targets: ['push'] });
    await spool.append([
      position('{"deviceId":"1","protocol":"a","attributes":{"io6":2}}'),
      position('{"deviceId":"2","protocol":"b","attributes":{}}'),
    ]);
    const target = pushTarget({
      url: `${receiver.url}/in`,
      clock: systemClock,
      named: ({ deviceId, protocol, attributes }) =>
        protocol === 'a' ? { X: { id: 6, value: attributes['io6'], device: deviceId } } : undefined,
    });
    await track(createPusher({ spool, target, clock: systemClock, log: silent, minRetryMs: 1 })).delivered(2);
    expect(JSON.parse(receiver.requests[0]!.body).positions).toEqual([
      { deviceId: '1', protocol: 'a', attributes: { io6: 2 }, named: { X: { id: 6, value: 2, device: '1' } } },
      { deviceId: '2', protocol: 'b', attributes: {} },
    ]);
  });

  it('confirms the records for any 2xx response, whatever its body', async () => {
    const spool = await folder.open({ targets: ['push'] });
    await spool.append([position('{"n":1}')]);
    receiver.script.push(status(204, {}, ''));
    await pushOutside(spool).delivered(1);
    await spool.append([position('{"n":2}')]);
    receiver.script.push(status(200, {}, 'thanks'));
    await spool.cursor('push').whenSettled(2);
    expect(spool.setAside('push').count).toBe(0);
  });

  it('rejects records by index, and halves a batch that is refused as a whole', async () => {
    const spool = await folder.open({ targets: ['push'] });
    await spool.append([
      { kind: EVENT, bytes: Buffer.from('{}') },
      ...numbers(2, 9).map((n) => position(`{"n":${n}}`)),
    ]);
    receiver.always = ({ body }, response, self) =>
      body.includes('"n":4}') ? status(422)({ body } as never, response, self) : undefined;
    receiver.script.push(status(400));
    const pusher = pushOutside(spool);
    await pusher.delivered(9);
    await spool.append([position('{"n":10}'), position('{"n":11}')]);
    receiver.script.push(status(200, {}, '{"rejected":[{"index":1,"code":"odd","detail":"no"},{"index":7}]}'));
    await pusher.delivered(11);
    expect(spool.setAside('push').list()).toMatchObject([
      { id: 'push-4', code: 'http-422' },
      { id: 'push-11', code: 'odd', detail: 'no' },
    ]);
  });
});
