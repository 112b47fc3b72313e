import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadCatalogue } from '../../../src/codec/catalogue/index.ts';
import { Client, count, type Running, startGateway } from './support.ts';

const { streams: protocols } = await loadCatalogue();

let running: Running | undefined;
const start = async (): Promise<Running> => {
  running = await startGateway({ protocols });
  return running;
};

// The sweep never comes: what a connection has sent is decided by its bytes or by its end.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }));
afterEach(async () => {
  vi.useRealTimers();
  await running?.gateway.close(1_000);
  running = undefined;
});

const udpPortOf = ({ openPorts }: Running['gateway']): number =>
  openPorts.find(({ transport }) => transport === 'udp')!.port;

interface Example {
  readonly protocol: string;
  readonly name: string;
  readonly bytes: Buffer;
  /** what the answer begins with, where the protocol answers such a frame */
  readonly answer?: Buffer;
}

const ATRACK = Buffer.from(
  '40502c0a003300b500014562e8c4aea3665af3c0665af3c1665af3c2ff5456b002b64660007b02000004d2000903003c0105dc00ffc907d000',
  'hex',
);
const ATRACK_ANSWER = Buffer.from('fe0200014562e8c4aea300b5', 'hex');

const examples: readonly Example[] = [
  {
    protocol: 'gps103',
    name: 'a login',
    bytes: Buffer.from('##,imei:359710040000100,A;'),
    answer: Buffer.from('LOAD'),
  },
  {
    protocol: 'watch',
    name: 'a link',
    bytes: Buffer.from('[3G*9032070100*0009*LK,0,0,99]'),
    answer: Buffer.from('[3G*9032070100*0002*LK]'),
  },
  { protocol: 'trv', name: 'a login', bytes: Buffer.from('TRVAP00356307042441013#'), answer: Buffer.from('TRVBP00') },
  {
    protocol: 't800x',
    name: 'a report',
    bytes: Buffer.from(
      '272702004100050356307042441013490024060110111200200244000038c1000041420605007b8300128980888516390500002694064402580000003c01000203',
      'hex',
    ),
    answer: Buffer.from('272702000f00050356307042441013', 'hex'),
  },
  {
    protocol: 'atrack',
    name: 'a binary report',
    bytes: ATRACK,
    answer: ATRACK_ANSWER,
  },
  {
    protocol: 'h02',
    name: 'a binary report',
    bytes: Buffer.from('2442099512341015301506244807500064011352500e010045fffffbff001406', 'hex'),
  },
];

describe.each(examples.map((example) => [example.protocol, example.name, example] as const))(
  '%s, %s',
  (_, __, example) => {
    const { protocol, bytes, answer } = example;

    it('is recorded where the connection ends right behind it', async () => {
      const { port, recorder } = await start();
      const device = await Client.open(port);
      device.socket.end(bytes);
      const list = await recorder.until((all) => count(all, 'frame') > 0);
      expect(list.find(({ type }) => type === 'frame')).toMatchObject({ protocol, bytes: bytes.toString('base64') });
      await device.closed;
    });

    it('is recorded and answered where the connection stays open', async () => {
      const { port, recorder } = await start();
      const device = await Client.open(port);
      device.send(bytes);
      const list = await recorder.until((all) => count(all, 'frame') > 0);
      expect(list.find(({ type }) => type === 'frame')).toMatchObject({ protocol, bytes: bytes.toString('base64') });
      if (answer !== undefined) expect(await device.take(answer.length)).toBe(answer.toString('hex'));
      device.socket.destroy();
    });
  },
);

it('the beginning of a message, ended by the device, is in the sample of unadmitted frames', async () => {
  const { port, gateway, recorder } = await start();
  const device = await Client.open(port);
  device.socket.end('##,i');
  await device.closed;
  await vi.waitFor(() => expect(gateway.unadmittedFrames.list()).toHaveLength(1));
  expect(gateway.unadmittedFrames.list()[0]).toMatchObject({
    transport: 'tcp',
    reason: 'unidentified',
    bytes: Buffer.from('##,i').toString('base64'),
  });
  expect(recorder.list()).toEqual([]);
});

it('bytes that fit no protocol are in the sample, whatever brought them', async () => {
  const { port, gateway } = await start();
  const device = await Client.open(port);
  device.send(Buffer.alloc(16, 0xee));
  await device.closed;
  const socket = createSocket('udp4');
  socket.send(Buffer.alloc(16, 0xee), udpPortOf(gateway), '127.0.0.1');
  await vi.waitFor(() => expect(gateway.unadmittedFrames.list()).toHaveLength(2));
  expect(gateway.unadmittedFrames.list()).toMatchObject([
    { protocol: 'unknown', transport: 'tcp', reason: 'unidentified', size: 16 },
    { protocol: 'unknown', transport: 'udp', reason: 'unidentified', size: 16 },
  ]);
  socket.close();
});

it('a datagram of ATrack whose checksum begins with the byte of a comma is recorded and answered', async () => {
  const { gateway, recorder } = await start();
  const socket = createSocket('udp4');
  const answered = once(socket, 'message');
  socket.send(ATRACK, udpPortOf(gateway), '127.0.0.1');
  const [answer] = (await answered) as [Buffer];
  expect(answer).toEqual(ATRACK_ANSWER);
  const list = await recorder.until((all) => count(all, 'position') > 0);
  expect(list.find(({ type }) => type === 'frame')).toMatchObject({ protocol: 'atrack', transport: 'udp' });
  socket.close();
});
