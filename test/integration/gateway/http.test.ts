import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { httpAsStream } from '#codec/http';
import flespi from '../../../protocols/flespi/index.ts';
import osmand from '../../../protocols/osmand/index.ts';
import { bothWays, Client, count, type Running, startGateway } from './support.ts';

const protocol = httpAsStream(osmand);
const agents: Agent[] = [];
let running: Running | undefined;

async function start(settings: Parameters<typeof startGateway>[0] = {}): Promise<Running> {
  running = await startGateway({ protocols: [protocol], ...settings });
  return running;
}

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.destroy();
  running?.gateway.stopAccepting();
  running?.gateway.stopReading();
  await running?.gateway.close(1_000);
  running = undefined;
});

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly connection: string | undefined;
}

async function ask(path: string, given: { agent?: Agent; method?: string; type?: string; body?: string } = {}) {
  const { agent, method = 'GET', type, body } = given;
  const asked = request({
    host: '127.0.0.1',
    port: running!.port,
    path,
    method,
    ...(agent === undefined ? { agent: false as const } : { agent }),
    headers: type === undefined ? {} : { 'content-type': type },
  });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode!, body: text, connection: answer.headers.connection } satisfies Answer;
}

const REPORT = '/?id=77&timestamp=1717243200&lat=48.1&lon=11.6&speed=10';
const JSON_REPORT = JSON.stringify({ device_id: '78', location: { timestamp: '2024-06-01T12:00:00Z' } });

describe('HTTP at the gateway', () => {
  it('answers 200 when the position is stored, and not before', async () => {
    const { recorder } = await start();
    recorder.isOpen = false;
    let answered = false;
    const asked = ask(REPORT).then((answer) => {
      answered = true;
      return answer;
    });
    await recorder.until((list) => count(list, 'position') === 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    recorder.release();
    expect(await asked).toMatchObject({ status: 200, body: '' });
    const opened = recorder.list().find(({ type }) => type === 'session-opened');
    expect(opened).toMatchObject({ imei: '77', protocol: 'osmand', transport: 'http' });
  });

  it('closes the connection without an answer if the position could not be stored', async () => {
    const { recorder } = await start();
    recorder.isOpen = false;
    const asked = ask(REPORT);
    const failed = expect(asked).rejects.toThrow();
    await recorder.until((list) => count(list, 'position') === 1);
    recorder.fail(new Error('disk full'));
    await failed;
  });

  it('accepts many requests on one connection, as query, form and JSON', async () => {
    const { recorder } = await start();
    const agent = keepAlive();
    expect(await ask(REPORT, { agent })).toMatchObject({ status: 200, connection: undefined });
    const form = { agent, method: 'POST', type: 'application/x-www-form-urlencoded', body: REPORT.slice(2) };
    expect(await ask('/', form)).toMatchObject({ status: 200 });
    const json = { agent, method: 'POST', type: 'application/json; charset=utf-8', body: JSON_REPORT };
    expect(await ask('/', json)).toMatchObject({ status: 200 });
    expect(await ask('/?lat=1&lon=2', { agent })).toMatchObject({ status: 400 });
    expect(await ask('/?id=77&lat=100&lon=2', { agent })).toMatchObject({ status: 200 });
    const list = recorder.list();
    expect(count(list, 'position')).toBe(4);
    expect(new Set(list.map(({ conn }) => conn).filter(Boolean)).size).toBe(1);
  });

  it('reads a body in chunks', async () => {
    const { recorder, port } = await start();
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([JSON_REPORT]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(200);
    expect(count(recorder.list(), 'position')).toBe(1);
  });

  it('reads bytes that arrive one at a time, and requests that arrive together', async () => {
    const { recorder, port } = await start();
    const client = await Client.open(port);
    const bytes = Buffer.from(`GET ${REPORT} HTTP/1.1\r\nHost: x\r\n\r\n`);
    for (const byte of bytes) client.send(Uint8Array.of(byte));
    const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 0\r\n\r\n';
    expect(Buffer.from(await client.take(answer.length), 'hex').toString()).toBe(answer);
    client.send(Buffer.concat([bytes, bytes, bytes]));
    expect(Buffer.from(await client.take(3 * answer.length), 'hex').toString()).toBe(answer.repeat(3));
    expect(count(recorder.list(), 'position')).toBe(4);
    client.socket.destroy();
    await client.closed;
  });

  it.each([
    ['HTTP/1.0', '', true],
    ['HTTP/1.0', 'Connection: keep-alive\r\n', false],
    ['HTTP/1.1', 'Connection: close\r\n', true],
  ])('of %s %j closes behind the answer: %s', async (version, header, closes) => {
    const { port } = await start();
    const client = await Client.open(port);
    client.send(Buffer.from(`GET ${REPORT} ${version}\r\nHost: x\r\n${header}\r\n`));
    const head = 'HTTP/1.1 200 OK\r\n';
    expect(Buffer.from(await client.take(head.length), 'hex').toString()).toBe(head);
    if (closes) await client.closed;
    else {
      client.send(Buffer.from(`GET ${REPORT} ${version}\r\nHost: x\r\nConnection: close\r\n\r\n`));
      await client.closed;
      expect(client.received.toString().match(/HTTP\/1.1 200/g)).toHaveLength(1);
    }
  });

  it('refuses a device that is not registered, in the form of its request', async () => {
    const { gateway } = await start({ autoRegister: false });
    gateway.apply({ type: 'devices', devices: [{ imei: '77' }] });
    gateway.apply({ type: 'devices-end' });
    expect(await ask(REPORT)).toMatchObject({ status: 200 });
    expect(await ask('/?id=99&lat=1&lon=2')).toMatchObject({ status: 400 });
    expect(await ask('/', { method: 'POST', type: 'application/json', body: JSON_REPORT })).toMatchObject({
      status: 404,
    });
  });

  it('answers a request of no protocol with 400 on a port of several protocols', async () => {
    const { recorder } = await start({ protocols: [protocol, httpAsStream(flespi)] });
    for (const [path, body] of [
      ['/favicon.ico', undefined],
      ['/', 'hello'],
    ] as const) {
      const given = body === undefined ? {} : { method: 'POST', type: 'text/plain', body };
      expect(await ask(path, given)).toMatchObject({ status: 400, connection: 'close' });
    }
    expect(await ask(REPORT)).toMatchObject({ status: 200 });
    expect(count(recorder.list(), 'position')).toBe(1);
  });

  it('answers a batch of several devices: 404 if none is registered, 200 if the records of one are stored', async () => {
    const { gateway, recorder } = await start({ protocols: [httpAsStream(flespi)], autoRegister: false });
    gateway.apply({ type: 'devices', devices: [{ imei: '77' }] });
    gateway.apply({ type: 'devices-end' });
    const batch = (...idents: string[]) => ({
      method: 'POST',
      type: 'application/json',
      body: JSON.stringify(idents.map((ident) => ({ ident, timestamp: 1_717_243_200 }))),
    });
    expect(await ask('/', batch('98', '99'))).toMatchObject({ status: 404 });
    expect(count(recorder.list(), 'position')).toBe(0);
    expect(await ask('/', batch('98', '77'))).toMatchObject({ status: 200 });
    expect(count(recorder.list(), 'position')).toBe(1);
  });

  it('is identified by its first request on a port of several protocols', async () => {
    await start({ protocols: [bothWays, protocol] });
    expect(await ask(REPORT)).toMatchObject({ status: 200 });
  });

  it.each([
    ['a body that is too long', `POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n`],
    ['a head that does not end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
    ['chunks that do not end', `POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n`],
    ['what is no HTTP', 'hello, is anybody there?\r\n\r\n'],
    ['an invalid length', 'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'],
  ])('closes on %s', async (_, bytes) => {
    const { port, recorder } = await start();
    const client = await Client.open(port);
    client.send(Buffer.from(bytes));
    await client.closed;
    expect(client.received.length).toBe(0);
    expect(count(recorder.list(), 'position')).toBe(0);
  });

  it('sends a command to the app in the body of the next answer', async () => {
    const { gateway, recorder } = await start();
    const agent = keepAlive();
    expect(await ask(REPORT, { agent })).toMatchObject({ status: 200, body: '' });
    const conn = recorder.list().find(({ type }) => type === 'session-opened')!['conn'] as string;
    const about = { commandId: 'c1', attempt: 1, imei: '77', conn, ticket: '1' };
    gateway.apply({ type: 'deliver', ...about, command: 'custom', params: { data: 'stop' } });
    await recorder.until((list) => count(list, 'sent') === 1);
    expect(await ask(REPORT, { agent })).toMatchObject({ status: 200, body: 'stop' });
    await recorder.until((list) => count(list, 'taken') === 1);
    expect(await ask(REPORT, { agent })).toMatchObject({ status: 200, body: '' });
    gateway.apply({ type: 'deliver', ...about, commandId: 'c2', command: 'custom', params: {}, hex: '00' });
    await recorder.until((list) => count(list, 'not-sent') === 1);
  });
});
