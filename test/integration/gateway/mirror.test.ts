import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Journey } from '../../../src/simulation/index.ts';
import { example } from '../../conformance/example-protocol.ts';
import { Client, count, IMEI, type Running, startGateway } from './support.ts';

let running: Running | undefined;
const undo: (() => void)[] = [];
afterEach(async () => {
  await running?.gateway.close(1_000);
  running = undefined;
  for (const each of undo.splice(0)) each();
});

/** Another server, which answers everything. */
async function otherServer(onSocket: (socket: Socket) => void = () => {}) {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      received.push(bytes);
      socket.write('an answer that is not for the device');
    });
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  undo.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const close = () => server.close();
  return {
    close,
    port: (server.address() as AddressInfo).port,
    received: () => Buffer.concat(received).toString('hex'),
  };
}

const mirrorTo = (port: number, bufferBytes = 65_536) => ({ mirror: { host: '127.0.0.1', port, bufferBytes } });

const { simulator } = example;
const login = simulator.login!(IMEI, 1);
const report = (fixes: number) => simulator.report(new Journey(1, Date.UTC(2026, 10, 20)).take(fixes), IMEI, 1);
const ANSWER_BYTES = 7;

it('another server gets the bytes of a device, whose answers come from this one alone', async () => {
  const other = await otherServer();
  running = await startGateway(mirrorTo(other.port));
  const device = await Client.open(running.port);
  device.send(login);
  expect((await device.take(ANSWER_BYTES)).slice(6, 10)).toBe('8101');
  device.send(report(3));
  expect((await device.take(ANSWER_BYTES)).slice(6, 10)).toBe('8203');
  const sent = Buffer.concat([login, report(3)]).toString('hex');
  await expect.poll(() => other.received()).toBe(sent);
  // one more exchange: nothing of the other server was in between
  device.send(report(1));
  expect((await device.take(ANSWER_BYTES)).slice(6, 10)).toBe('8201');
  device.socket.destroy();
});

it('a server that is away or takes nothing does not delay a device', async () => {
  const stuck = await otherServer((socket) => socket.pause());
  running = await startGateway(mirrorTo(stuck.port, 1_024));
  const device = await Client.open(running.port);
  device.send(login);
  await device.take(ANSWER_BYTES);
  for (let n = 0; n < 200; n++) {
    device.send(report(10));
    expect((await device.take(ANSWER_BYTES)).slice(6, 10)).toBe('820a');
  }
  expect(count(running.recorder.list(), 'position')).toBe(2_000);
  device.socket.destroy();
  await running.gateway.close(1_000);
  // nobody listens there: a port that was open a moment ago
  const { port, close } = await otherServer();
  close();
  running = await startGateway(mirrorTo(port));
  const again = await Client.open(running.port);
  again.send(login);
  expect((await again.take(ANSWER_BYTES)).slice(6, 10)).toBe('8101');
  again.socket.destroy();
});

it('datagrams are mirrored too', async () => {
  const other = createSocket('udp4').bind(0, '127.0.0.1');
  await once(other, 'listening');
  undo.push(() => other.close());
  const received: string[] = [];
  other.on('message', (bytes) => received.push(bytes.toString('hex')));
  running = await startGateway(mirrorTo(other.address().port));
  const device = createSocket('udp4');
  undo.push(() => device.close());
  device.connect(running.gateway.openPorts.find(({ transport }) => transport === 'udp')!.port, '127.0.0.1');
  await once(device, 'connect');
  device.send(login);
  await once(device, 'message');
  await expect.poll(() => received).toEqual([Buffer.from(login).toString('hex')]);
});
