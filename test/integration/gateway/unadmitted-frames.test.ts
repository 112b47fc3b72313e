import { afterEach, describe, expect, it } from 'vitest';
import { example } from '../../conformance/example-protocol.ts';
import { Client, count, IMEI, type Running, startGateway } from './support.ts';

const { simulator } = example;
const ADMITTED_BYTES = 7;

let running: Running | undefined;
const start = async (...args: Parameters<typeof startGateway>): Promise<Running> => {
  running = await startGateway(...args);
  return running;
};

afterEach(async () => {
  await running?.gateway.close(1000);
  running = undefined;
});

const heartbeats = (first: number, number: number): Buffer =>
  Buffer.concat(Array.from({ length: number }, (_, n) => simulator.heartbeat!(IMEI, first + n)));

describe('frames of a connection without an admitted device', () => {
  it('are kept as a bounded sample, and none of them is recorded', async () => {
    const { gateway, port, recorder } = await start({
      autoRegister: false,
      unadmittedFrames: { total: 12, perAddress: 5 },
    });
    gateway.apply({ type: 'devices-end' });
    const device = await Client.open(port);
    device.send(heartbeats(1, 2_000));
    // the login is refused behind them all, and ends the connection
    device.send(simulator.login!(IMEI, 1));
    await device.closed;
    expect(gateway.counters.of('example').decoded).toBe(2_001);
    expect(recorder.list().map((record) => record['type'])).toEqual(['knock']);
    const sample = gateway.unadmittedFrames.list();
    expect(sample).toHaveLength(5);
    expect(sample.at(-1)).toMatchObject({
      protocol: 'example',
      transport: 'tcp',
      imei: IMEI,
      reason: 'refused',
      bytes: Buffer.from(simulator.login!(IMEI, 1)).toString('base64'),
    });
    expect(gateway.unadmittedFrames.dropped).toBe(1_996);
  });

  it('are not recorded either if unknown devices register themselves, until the device has registered', async () => {
    const { gateway, port, recorder } = await start();
    const device = await Client.open(port);
    device.send(heartbeats(1, 3));
    device.send(Buffer.concat([simulator.login!(IMEI, 4), heartbeats(5, 2)]));
    await device.take(ADMITTED_BYTES);
    const list = await recorder.until((all) => count(all, 'heartbeat') === 2);
    expect(count(list, 'frame')).toBe(3);
    expect(list.every((record) => record['imei'] === IMEI)).toBe(true);
    expect(gateway.unadmittedFrames.list()).toHaveLength(3);
  });

  it('are bounded over all addresses, if a load balancer reports many', async () => {
    const { gateway, port, recorder } = await start({
      proxyProtocol: true,
      unadmittedFrames: { total: 6, perAddress: 4 },
    });
    for (const host of [1, 2, 3]) {
      const device = await Client.open(port);
      device.send(Buffer.from(`PROXY TCP4 203.0.113.${host} 10.0.0.1 4711 5300\r\n`));
      device.send(heartbeats(1, 3));
      // a login that is accepted shows that the gateway has read what precedes it
      device.send(simulator.login!(`35630704244101${host}`, 1));
      await device.take(ADMITTED_BYTES);
    }
    expect(count(recorder.list(), 'frame')).toBe(3);
    const remotes = gateway.unadmittedFrames.list().map(({ remote }) => remote);
    expect(remotes).toHaveLength(6);
    expect(new Set(remotes)).toEqual(new Set(['203.0.113.2:4711', '203.0.113.3:4711']));
  });
});
