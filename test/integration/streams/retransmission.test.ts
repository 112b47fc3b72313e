import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import egts from '../../../protocols/egts/index.ts';
import { APPDATA, packet, RESPONSE, record, subRecord } from '../../../protocols/egts/packet.ts';
import retranslator from '../../../protocols/retranslator/index.ts';
import wialon from '../../../protocols/wialon/index.ts';
import {
  STREAM_TYPES,
  type StreamContext,
  type StreamMessage,
  type StreamOptions,
  type StreamSender,
} from '../../../src/server/live/brokers/index.ts';
import { type RunningApi, startApi } from '../../support/api.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { dropDatabases, withDatabase } from '../../support/databases.ts';
import { needs } from '../../support/programs.ts';
import { RelayReceiver } from '../../support/relay.ts';
import { retransmitted } from '../../support/retransmitted.ts';
import { createStream, drive } from '../../support/streams.ts';

const openssl = needs('openssl');
const waiting = { timeout: 60_000, interval: 50 };
const numbers = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

let receiver: RelayReceiver;
const opened: StreamSender[] = [];
afterEach(async () => {
  for (const sender of opened.splice(0)) await sender.close();
  await receiver?.kill();
});

const context: StreamContext = {
  timeoutMs: 2_000,
  resolve: async () => '127.0.0.1',
  post: () => Promise.reject(new Error('not used')),
  sign: async () => ({}),
};
async function open(type: 'wialon' | 'egts', options: StreamOptions = {}, over: Partial<StreamContext> = {}) {
  const target = { url: `${type}://127.0.0.1:${receiver.port}`, topic: undefined, options };
  const sender = await STREAM_TYPES[type].open(target, { ...context, ...over });
  opened.push(sender);
  return sender;
}
const START = Date.UTC(2026, 4, 1, 8);
const message = (device: string, n: number): StreamMessage =>
  retransmitted(device, {
    fixTime: new Date(START + n * 1_000).toISOString(),
    latitude: 45,
    longitude: 9,
    speed: 50,
    attributes: { sat: 9 },
  });
const timesOf = (from: number, count: number): string[] =>
  numbers(from, count).map((n) => new Date(START + n * 1_000).toISOString());
const testMessage: StreamMessage = { ...message('', 0), kind: 'test', device: undefined };

describe('Wialon IPS', () => {
  test('has a connection for each device and keeps it, in the order of the messages', async () => {
    receiver = await RelayReceiver.start(wialon);
    const sender = await open('wialon', { password: 'secret', inFlight: 7 });
    const mixed = numbers(0, 50).flatMap((n) => [message('a', n), message('b', n)]);
    expect(await sender.send(mixed)).toEqual([]);
    expect(await sender.send([message('a', 50)])).toEqual([]);
    expect(receiver.connections).toBe(2);
    expect(receiver.timesOf('a')).toEqual(timesOf(0, 51));
    expect(receiver.timesOf('b')).toEqual(timesOf(0, 50));
    expect(receiver.received).toHaveLength(101);
    expect(new Set(receiver.received.map(({ device, connection }) => `${device} ${connection}`)).size).toBe(2);
  });

  test('closes the connection that was used least recently where there are too many', async () => {
    receiver = await RelayReceiver.start(wialon);
    const sender = await open('wialon', { connections: 2 });
    for (const device of ['a', 'b', 'a', 'c', 'a', 'b']) await sender.send([message(device, 0)]);
    // a stays; b is closed for c, and c for b
    expect(receiver.received.map(({ connection }) => connection)).toEqual([0, 1, 0, 2, 0, 3]);
  });

  test('connects again where the receiver has closed an idle connection', async () => {
    receiver = await RelayReceiver.start(wialon);
    const sender = await open('wialon');
    await sender.send([message('a', 0)]);
    receiver.disconnect();
    expect(await sender.send([message('a', 1)])).toEqual([]);
    expect(receiver.timesOf('a')).toEqual(timesOf(0, 2));
  });

  test('rejects the messages of a device that may not log in, and those that the receiver does not accept', async () => {
    receiver = await RelayReceiver.start(wialon);
    receiver.refused.add('unknown');
    receiver.answer = ({ positions, replies }) =>
      positions[0]?.fixTime === START + 3_000 ? [latin1('#AD#15\r\n')] : replies;
    const sender = await open('wialon');
    const messages = [message('unknown', 0), ...numbers(0, 6).map((n) => message('a', n))];
    const rejections = await sender.send(messages);
    expect(rejections.map(({ message: rejected }) => messages.indexOf(rejected)).sort()).toEqual([0, 4]);
    expect(rejections.map(({ reason }) => reason).sort()).toEqual([
      'answer 15: error receiving additional parameters',
      'login: the receiver does not know the device, or rejects the connection',
    ]);
  });

  test.each([
    ['#AD#16\r\n', 'the receiver answers with 16'],
    ['', 'no answer within 200 ms'],
  ])('throws where the answer is %j: nothing is acknowledged', async (answer, reason) => {
    receiver = await RelayReceiver.start(wialon);
    receiver.answer = ({ positions, replies }) => (positions.length > 0 ? [latin1(answer)] : replies);
    const sender = await open('wialon', {}, { timeoutMs: 200 });
    await expect(sender.send([message('a', 0)])).rejects.toThrow(reason);
  });

  test('ignores commands of the receiver', async () => {
    receiver = await RelayReceiver.start(wialon);
    receiver.answer = ({ replies }) => [latin1('#M#Call home;1A2B\r\nreboot\r\n'), ...replies];
    const sender = await open('wialon');
    expect(await sender.send([message('a', 0), message('a', 1)])).toEqual([]);
  });

  test('reports whether the receiver of a test message was reached', async () => {
    receiver = await RelayReceiver.start(wialon);
    const sender = await open('wialon');
    expect((await sender.send([testMessage]))[0]!.reason).toMatch(/was reached/);
    await receiver.kill();
    await expect(sender.send([testMessage])).rejects.toThrow('ECONNREFUSED');
  });

  test.skipIf(openssl === undefined)('connects over TLS, by the name of the receiver', async () => {
    const certificates = makeCertificates();
    try {
      const { cert, key } = certificates.server;
      receiver = await RelayReceiver.start(wialon, { cert: readFileSync(cert), key: readFileSync(key) });
      const connect = (host: string) =>
        STREAM_TYPES.wialon.open(
          { url: `wialons://${host}:${receiver.port}`, topic: undefined, options: { ca: certificates.ca } },
          context,
        );
      const sender = await connect('localhost');
      opened.push(sender);
      expect(await sender.send([message('a', 0)])).toEqual([]);
      const other = await connect('other.test');
      opened.push(other);
      await expect(other.send([message('a', 0)])).rejects.toThrow(/altnames|cert/);
    } finally {
      certificates.remove();
    }
  });
});

describe('Wialon Retranslator', () => {
  test('sends all devices over one connection, and awaits a confirmation of each packet', async () => {
    receiver = await RelayReceiver.start(retranslator);
    const sender = await open('wialon', { protocol: 'retranslator', inFlight: 3 });
    const mixed = numbers(0, 10).flatMap((n) => [message('a', n), message('b', n)]);
    expect(await sender.send(mixed)).toEqual([]);
    expect(receiver.connections).toBe(1);
    expect(receiver.timesOf('a')).toEqual(timesOf(0, 10));
    expect(receiver.timesOf('b')).toEqual(timesOf(0, 10));
  });

  test('throws where a packet is not confirmed', async () => {
    receiver = await RelayReceiver.start(retranslator);
    receiver.answer = ({ positions, replies }) => (positions[0]?.fixTime === START + 2_000 ? [] : replies);
    const sender = await open('wialon', { protocol: 'retranslator' }, { timeoutMs: 200 });
    await expect(sender.send(numbers(0, 3).map((n) => message('a', n)))).rejects.toThrow('no answer within 200 ms');
  });
});

/** A receipt of a packet whose records (of service 2) have results. */
function receipt(frame: Uint8Array, result: number, statuses: readonly number[] = []): Uint8Array {
  const data = Buffer.from(frame.subarray(11, frame.length - 2));
  const records: number[] = [];
  for (let at = 0; at < data.length; ) {
    records.push(data.readUInt16LE(at + 2));
    const flags = data[at + 4]!;
    at += 7 + data.readUInt16LE(at) + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
  }
  const parts = statuses.map((status, at) => {
    const content = Uint8Array.of(records[at]! & 0xff, records[at]! >> 8, status);
    return subRecord(0, content);
  });
  const id = frame[7]! | (frame[8]! << 8);
  const answer = parts.length === 0 ? new Uint8Array() : record(1, 2, Buffer.concat(parts));
  return packet(RESPONSE, 500, Buffer.concat([Uint8Array.of(id & 0xff, id >> 8, result), answer]));
}

describe('EGTS', () => {
  const imei = '356307042441013';

  test('logs in as the terminal of each device', async () => {
    receiver = await RelayReceiver.start(egts);
    const sender = await open('egts', { objects: 'van=77', inFlight: 4 });
    const mixed = numbers(0, 10).flatMap((n) => [message(imei, n), message('van', n)]);
    expect(await sender.send(mixed)).toEqual([]);
    expect(receiver.connections).toBe(2);
    expect(receiver.timesOf(imei)).toEqual(timesOf(0, 10));
    expect(receiver.timesOf('77')).toEqual(timesOf(0, 10));
    const [rejection] = await sender.send([message('neither', 0)]);
    expect(rejection!.reason).toMatch(/no object number/);
  });

  test('sends all devices over the connection of a dispatcher', async () => {
    receiver = await RelayReceiver.start(egts);
    const frames: Uint8Array[] = [];
    receiver.answer = ({ bytes, replies }) => {
      frames.push(bytes);
      return replies;
    };
    const options = { identity: 'dispatcher', dispatcherId: 0x01020304, objects: `${imei}=4000000000` };
    const sender = await open('egts', options);
    const messages = [message(imei, 0), message('12', 1), message('nameless', 2), message(imei, 3)];
    const rejections = await sender.send(messages);
    expect(rejections.map(({ message: rejected }) => rejected.device)).toEqual(['nameless']);
    expect(receiver.connections).toBe(1);
    expect(receiver.devices()).toEqual(['4000000000', '12', '4000000000']);
    // packet 1; service 1 with EGTS_SR_DISPATCHER_IDENTITY: type, number
    expect(Buffer.from(frames[0]!).toString('hex', 7)).toMatch(/^010001..080001001801010505000004030201/);
  });

  test('rejects records alone whose result says so', async () => {
    receiver = await RelayReceiver.start(egts);
    receiver.answer = ({ bytes, positions, replies }) => {
      if (positions.length === 0) return replies;
      return [
        receipt(
          bytes,
          0,
          positions.map((one) => (one.fixTime === START + 2_000 ? 154 : 0)),
        ),
      ];
    };
    const sender = await open('egts');
    const messages = numbers(0, 4).map((n) => message(imei, n));
    expect(await sender.send(messages)).toEqual([
      { message: messages[2], reason: 'result 154 (EGTS_PC_INC_DATETIME)' },
    ]);
  });

  test('finds the rejected record of a rejected packet', async () => {
    receiver = await RelayReceiver.start(egts);
    const sizes: number[] = [];
    receiver.answer = ({ bytes, positions, replies }) => {
      if (positions.length === 0) return replies;
      sizes.push(positions.length);
      const isBad = positions.some(({ fixTime }) => fixTime === START + 1_000);
      return isBad ? [receipt(bytes, 132)] : replies;
    };
    const sender = await open('egts');
    const messages = numbers(0, 3).map((n) => message(imei, n));
    expect(await sender.send(messages)).toEqual([
      { message: messages[1], reason: 'result 132 (EGTS_PC_INC_DATAFORM)' },
    ]);
    expect(sizes).toEqual([3, 1, 1, 1]);
  });

  test('waits for the result of records that are in progress, and takes repeats for accepted', async () => {
    receiver = await RelayReceiver.start(egts);
    receiver.answer = ({ bytes, positions, replies }) =>
      positions.length === 0 ? replies : [receipt(bytes, 0, [1, 135]), receipt(bytes, 0, [0])];
    const sender = await open('egts');
    expect(await sender.send([message(imei, 0), message(imei, 1)])).toEqual([]);
  });

  test.each([
    ['the receiver has no resources', [156], 'EGTS_PC_NO_RES_AVAIL'],
    ['a record has no result', [], 'no answer within 300 ms'],
  ])('throws where %s: nothing is acknowledged', async (_name, statuses, reason) => {
    receiver = await RelayReceiver.start(egts);
    receiver.answer = ({ bytes, positions, replies }) =>
      positions.length === 0 ? replies : [receipt(bytes, 0, statuses)];
    const sender = await open('egts', {}, { timeoutMs: 300 });
    await expect(sender.send([message(imei, 0)])).rejects.toThrow(reason);
  });

  /** The answer to an authentication: its receipt, and a record of the receiver. */
  const answering = (type: number, content: number[]) => {
    receiver.answer = ({ bytes, positions, replies }) =>
      positions.length > 0
        ? replies
        : bytes[9] === 0
          ? []
          : [receipt(bytes, 0, [0]), packet(APPDATA, 501, record(9, 1, subRecord(type, Uint8Array.from(content))))];
  };

  test('confirms what the receiver sends', async () => {
    receiver = await RelayReceiver.start(egts);
    const responses: string[] = [];
    const confirmed = new Promise<void>((resolve) => {
      answering(9, [0]);
      const { answer } = receiver;
      receiver.answer = (frame) => {
        if (frame.bytes[9] === 0) {
          responses.push(Buffer.from(frame.bytes).toString('hex', 11));
          resolve();
        }
        return answer(frame);
      };
    });
    const sender = await open('egts');
    await sender.send([message(imei, 0)]);
    await confirmed;
    // the packet 501 with result 0, its record 9 with result 0
    expect(responses[0]).toMatch(/^f50100.{4}.{4}180101000300090000/);
  });

  test('rejects the messages of a terminal that is not known', async () => {
    receiver = await RelayReceiver.start(egts);
    answering(9, [153]);
    const sender = await open('egts');
    const rejections = await sender.send([message(imei, 0)]);
    expect(rejections.map(({ reason }) => reason)).toEqual(['authentication: result 153 (EGTS_PC_ID_NFOUND)']);
  });

  test('is a problem of the stream where a dispatcher is not known, or encryption is required', async () => {
    receiver = await RelayReceiver.start(egts);
    answering(9, [151]);
    const options = { identity: 'dispatcher', dispatcherId: 1 };
    await expect(open('egts', options)).rejects.toThrow('EGTS_PC_AUTH_DENIED');
    answering(6, [1]);
    await expect(open('egts', options)).rejects.toThrow('not supported');
  });

  test('does without a result of the authentication, if the stream says so', async () => {
    receiver = await RelayReceiver.start(egts);
    receiver.answer = ({ bytes, positions, replies }) => (positions.length > 0 ? replies : [receipt(bytes, 0, [0])]);
    const sender = await open('egts', { resultCode: false });
    expect(await sender.send([message(imei, 0)])).toEqual([]);
    const strict = await open('egts', {}, { timeoutMs: 200 });
    await expect(strict.send([message(imei, 0)])).rejects.toThrow('no answer within 200 ms');
  });
});

describe('a stream of the REST API', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await startApi(await withDatabase(async (url) => url));
  });
  afterAll(async () => {
    await api?.stop();
    await dropDatabases();
  });
  const shown = async (id: string) => (await api.get(`/v1/streams/${id}`)).body;
  const fixTimes = async (imei: string): Promise<string[]> =>
    (await api.get(`/v1/devices/${imei}/positions?limit=500`)).body.items.map(
      ({ fixTime }: { fixTime: string }) => `${fixTime.slice(0, 19)}.000Z`,
    );

  test.each([
    ['wialon', wialon, {}],
    ['wialon', retranslator, { protocol: 'retranslator' }],
    ['egts', egts, {}],
    ['egts', egts, { identity: 'none', objects: '860000000000001=1,860000000000002=2' }],
  ])(
    'of type %s goes on after the receiver was killed: every position arrives, in order',
    async (type, protocol, options) => {
      receiver = await RelayReceiver.start(protocol);
      const devices = ['860000000000001', '860000000000002'];
      const nameOf = (device: string): string => ('objects' in options ? String(Number(device.slice(-1))) : device);
      const from = await Promise.all(devices.map(async (device) => (await fixTimes(device).catch(() => [])).length));
      const url = `${type}://127.0.0.1:${receiver.port}`;
      const name = `${type} ${JSON.stringify(options)}`;
      const { body: stream } = await createStream(api, { name, type, url, options });
      for (const [at, device] of devices.entries()) await drive(api, device, numbers(from[at]!, 40));
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(20), waiting);
      await receiver.kill();
      for (const [at, device] of devices.entries()) await drive(api, device, numbers(from[at]! + 40, 40));
      await vi.waitFor(async () => expect((await shown(stream.id)).problem).toMatch(/ECONNREFUSED|closed/), waiting);
      expect((await shown(stream.id)).sent).toBeLessThanOrEqual(80);
      await receiver.start();
      await vi.waitFor(
        async () =>
          expect(await shown(stream.id)).toMatchObject({ sent: 160, failed: 0, lagRecords: 0, problem: null }),
        waiting,
      );
      for (const [at, device] of devices.entries()) {
        expect(receiver.timesOf(nameOf(device))).toEqual((await fixTimes(device)).slice(from[at]!));
      }
      await api.send('DELETE', `/v1/streams/${stream.id}`);
    },
  );

  test('moves its cursor only when the receiver has confirmed, and keeps what it rejects as dead letters', async () => {
    receiver = await RelayReceiver.start(wialon);
    let isSilent = true;
    receiver.answer = ({ positions, replies }) => (isSilent && positions.length > 0 ? [] : replies);
    receiver.refused.add('refused-1');
    const url = `wialon://127.0.0.1:${receiver.port}`;
    const options = { password: 'secret-of-the-units' };
    const vehicles = ['silent-1', 'refused-1'];
    const { body: stream } = await createStream(api, { name: 'cursor', type: 'wialon', url, options, vehicles });
    expect(JSON.stringify(stream)).not.toContain('secret-of-the-units');
    await drive(api, 'silent-1', [1, 2]);
    await vi.waitFor(() => expect(receiver.timesOf('silent-1')).toHaveLength(2), waiting);
    expect(await shown(stream.id)).toMatchObject({ sent: 0, lagRecords: 2 });
    isSilent = false;
    receiver.disconnect();
    await vi.waitFor(async () => expect(await shown(stream.id)).toMatchObject({ sent: 2, lagRecords: 0 }), waiting);
    await drive(api, 'refused-1', [1]);
    const letters = async () => (await api.get(`/v1/streams/${stream.id}/dead-letters`)).body.items;
    await vi.waitFor(async () => expect(await letters()).toHaveLength(1), waiting);
    expect((await letters())[0]).toMatchObject({ imei: 'refused-1', reason: expect.stringMatching(/^login: /) });
    receiver.refused.clear();
    await api.send('POST', `/v1/streams/${stream.id}/dead-letters/replay`);
    await vi.waitFor(() => expect(receiver.timesOf('refused-1')).toHaveLength(1), waiting);
    await vi.waitFor(async () => expect(await letters()).toEqual([]), waiting);
    await api.send('DELETE', `/v1/streams/${stream.id}`);
  });

  test.each([
    ['without a port', { type: 'wialon', url: 'wialon://127.0.0.1' }, '/url'],
    ['of two kinds', { type: 'wialon', url: 'wialon://127.0.0.1:1', kinds: ['position', 'alarm'] }, '/kinds'],
    ['of sessions', { type: 'egts', url: 'egts://127.0.0.1:1', kinds: ['session'] }, '/kinds'],
    ['with a user name', { type: 'wialon', url: 'wialon://user:password@127.0.0.1:1' }, '/url'],
    [
      'with a password that ends a field',
      { type: 'wialon', url: 'wialon://127.0.0.1:1', options: { password: 'a;b' } },
      '/options/password',
    ],
    [
      'with a password where the protocol has none',
      { type: 'wialon', url: 'wialon://127.0.0.1:1', options: { password: 'a', protocol: 'retranslator' } },
      '/options/password',
    ],
    ['with credentials', { type: 'egts', url: 'egts://user:password@127.0.0.1:1' }, '/url'],
    [
      'of a dispatcher without a number',
      { type: 'egts', url: 'egts://127.0.0.1:1', options: { identity: 'dispatcher' } },
      '/options/dispatcherId',
    ],
    [
      'with an object number that is text',
      { type: 'egts', url: 'egts://127.0.0.1:1', options: { objects: 'a=b' } },
      '/options/objects',
    ],
  ])('may not be %s', async (_name, over, pointer) => {
    const { body } = await createStream(api, { name: 'refused', ...over });
    expect(body).toMatchObject({ code: 'invalid', errors: [{ pointer }] });
  });
});
