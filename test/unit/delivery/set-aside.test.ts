import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packPosition } from '../../../src/contract/telemetry/index.ts';
import { EVENT, operate, PACKED, POSITION, type Spool } from '../../../src/gateway/spool/index.ts';
import { position, readAll, SpoolFolder } from '../../support/delivery/spool.ts';

let folder: SpoolFolder;
let spool: Spool;
beforeEach(async () => {
  folder = await SpoolFolder.make();
  spool = await folder.open();
});
afterEach(() => folder.remove());

const HEARTBEAT = '{"type":"heartbeat","at":1790000000000,"imei":"356307042441013","conn":"run.1"}';
const reason = { code: 'invalid', detail: 'refused by the test' };
const reject = (seq: number, value: string, why: object = reason, at = 1_000) =>
  spool.setAside('api').add([{ ...position(value), seq, ...reason, ...why }], at);
const list = () => spool.setAside('api').list();
const settle = async (seq: number): Promise<void> => {
  spool.settle('api', seq);
  await new Promise(setImmediate);
  await spool.setAside('api').idle();
};

/** Two records that the target has rejected. */
async function twoRejected(): Promise<void> {
  await spool.append([position('"a"'), position('"b"')]);
  await reject(1, '"a"');
  await reject(2, '"b"');
  await settle(2);
}

describe('a record that is replayed', () => {
  it('is kept until the target has accepted it, then removed', async () => {
    await twoRejected();
    expect(await operate(spool, { do: 'replay', id: 'api-1' })).toEqual({ done: 1 });
    expect(list()).toMatchObject([
      { id: 'api-1', isReplaying: true },
      { id: 'api-2', isReplaying: false },
    ]);
    expect((await readAll(spool)).map(([seq, text]) => [seq, text])).toEqual([[3, '"a"']]);
    await settle(3);
    expect(list()).toMatchObject([{ id: 'api-2' }]);
  });

  it('keeps its id and gets the new reason if it is rejected again, also if that is reported twice', async () => {
    await twoRejected();
    await operate(spool, { do: 'replay', id: 'api-1' });
    for (const at of [2_000, 3_000]) await reject(3, '"a"', { code: 'unstorable', detail: 'again' }, at);
    await settle(3);
    expect(list()).toMatchObject([
      { id: 'api-1', code: 'unstorable', detail: 'again', at: 2_000, isReplaying: false },
      { id: 'api-2', code: 'invalid', at: 1_000 },
    ]);
  });

  it('is not appended a second time while it is on its way', async () => {
    await twoRejected();
    await operate(spool, { do: 'replay', id: 'api-1' });
    expect(await operate(spool, { do: 'replay', id: 'all' })).toEqual({ done: 2 });
    expect((await readAll(spool)).map(([, text]) => text)).toEqual(['"a"', '"b"']);
  });

  it('is found again after a restart, and removed when the target accepts it then', async () => {
    await twoRejected();
    await operate(spool, { do: 'replay', id: 'all' });
    await folder.close(spool);
    spool = await folder.open();
    expect(list()).toMatchObject([{ isReplaying: true }, { isReplaying: true }]);
    await reject(4, '"b"', { code: 'unstorable' }, 5_000);
    await settle(4);
    expect(list()).toMatchObject([{ id: 'api-2', code: 'unstorable', isReplaying: false }]);
  });

  it('stays as it was if the spool is full', async () => {
    await twoRejected();
    await folder.close(spool);
    spool = await folder.open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    await expect(operate(spool, { do: 'replay', id: 'all' })).rejects.toThrow();
    expect(list()).toMatchObject([{ isReplaying: false }, { isReplaying: false }]);
  });
});

describe('set-aside records', () => {
  it('name their device, protocol and time', async () => {
    const packed = packPosition(
      '356307042441013',
      'teltonika',
      { type: 'position', valid: true, latitude: 1, longitude: 2, fixTime: 1_790_000_000_000, attributes: {} },
      1_790_000_001_000,
    );
    await spool.setAside('api').add(
      [
        { seq: 1, kind: PACKED, bytes: packed, ...reason },
        { seq: 2, kind: EVENT, bytes: Buffer.from(HEARTBEAT), ...reason },
        { seq: 3, kind: POSITION, bytes: Buffer.from('{"deviceId":"D-1","fixTime":"never"}'), ...reason },
        { seq: 4, kind: EVENT, bytes: Buffer.from([0xff, 0x7b]), ...reason },
      ],
      1_000,
    );
    const subjects = [
      { what: 'position', imei: '356307042441013', protocol: 'teltonika', time: 1_790_000_000_000 },
      { what: 'heartbeat', imei: '356307042441013', time: 1_790_000_000_000 },
      { what: 'position', imei: 'D-1' },
      { what: 'unknown' },
    ];
    expect(list().map(({ subject }) => subject)).toEqual(subjects);
    await folder.close(spool);
    spool = await folder.open();
    expect(list().map(({ subject }) => subject)).toEqual(subjects);
  });

  it('counts each change', async () => {
    const store = spool.setAside('api');
    const versions = [store.version];
    await twoRejected();
    versions.push(store.version);
    await operate(spool, { do: 'replay', id: 'api-1' });
    versions.push(store.version);
    await operate(spool, { do: 'drop', id: 'api-2' });
    versions.push(store.version);
    await operate(spool, { do: 'drop', id: 'api-2' });
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(store.version).toBe(versions.at(-1));
  });
});
