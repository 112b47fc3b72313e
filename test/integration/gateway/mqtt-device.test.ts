import { connectAsync, type MqttClient } from 'mqtt';
import { afterEach, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import iotm from '../../../protocols/iotm/index.ts';
import { count, IMEI, type Running, startGateway } from './support.ts';

/** Version 2, one record of 2024-06-01T12:00:00Z: ignition is on; the sum of the bytes. */
const PAYLOAD = Buffer.from('02010700400d5b66016d0086', 'hex');

let running: Running | undefined;
let client: MqttClient | undefined;

afterEach(async () => {
  await client?.endAsync(true);
  running?.gateway.stopAccepting();
  running?.recorder.release();
  await running?.gateway.close(1000);
  running = undefined;
  client = undefined;
});

async function start(settings: Parameters<typeof startGateway>[0] = {}): Promise<Running> {
  running = await startGateway({ protocols: [iotm as StreamProtocol], ...settings });
  return running;
}

/** The client of MQTT.js, which refuses what is not MQTT 3.1.1. */
async function open({ port }: Running): Promise<MqttClient> {
  client = await connectAsync(`mqtt://127.0.0.1:${port}`, { clientId: IMEI, protocolVersion: 4, reconnectPeriod: 0 });
  return client;
}

describe('an MQTT client', () => {
  it('connects, subscribes and publishes with each quality of service', async () => {
    const gateway = await start();
    const device = await open(gateway);
    expect(await device.subscribeAsync(`${IMEI}/OUTC`, { qos: 1 })).toMatchObject([{ qos: 1 }]);
    await device.publishAsync(`${IMEI}/DATA`, PAYLOAD, { qos: 1 });
    await device.publishAsync(`${IMEI}/DATA`, PAYLOAD, { qos: 2 });
    await device.publishAsync(`${IMEI}/DATA`, PAYLOAD, { qos: 0 });
    const list = await gateway.recorder.until((l) => count(l, 'position') === 3);
    expect(list.filter(({ kind }) => kind === 'position')).toMatchObject(
      Array.from({ length: 3 }, () => ({ deviceId: IMEI, protocol: 'iotm', attributes: { ignition: true } })),
    );
  });

  it('is acknowledged when its record is stored, and not before', async () => {
    const gateway = await start();
    const device = await open(gateway);
    gateway.recorder.isOpen = false;
    let isAcknowledged = false;
    const published = device.publishAsync(`${IMEI}/DATA`, PAYLOAD, { qos: 1 }).then(() => {
      isAcknowledged = true;
    });
    await gateway.recorder.until((l) => count(l, 'position') === 1);
    expect(isAcknowledged).toBe(false);
    gateway.recorder.release();
    await published;
  });

  it('receives a command and acknowledges it by its number', async () => {
    const gateway = await start();
    const device = await open(gateway);
    await device.subscribeAsync(`${IMEI}/OUTC`, { qos: 1 });
    const [{ conn }] = (await gateway.recorder.until((l) => count(l, 'session-opened') === 1)) as [{ conn: string }];
    const received = new Promise<readonly [topic: string, payload: Buffer]>((resolve) =>
      device.once('message', (topic, payload) => resolve([topic, payload])),
    );
    gateway.gateway.apply({
      type: 'deliver',
      commandId: 'c1',
      imei: IMEI,
      conn,
      attempt: 1,
      ticket: '321',
      command: 'outputControl',
      params: { index: 1, data: 1, seconds: 1 },
    });
    const [topic, payload] = await received;
    expect(topic).toBe(`${IMEI}/OUTC`);
    expect(payload.subarray(-3, -1).toString('hex')).toBe('6400');
    const list = await gateway.recorder.until((l) => count(l, 'answer') === 1);
    expect(list.find(({ type }) => type === 'answer')).toMatchObject({ ticket: '321', outcome: 'done', imei: IMEI });
  });

  it('that is not registered is refused', async () => {
    const gateway = await start({ autoRegister: false });
    gateway.gateway.apply({ type: 'devices-end' });
    await expect(open(gateway)).rejects.toMatchObject({ code: 2 });
  });
});
