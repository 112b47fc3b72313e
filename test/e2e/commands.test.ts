import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StreamProtocol } from '#codec';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import {
  type AnswerMode,
  Journey,
  SimulatedDevice,
  type SimulatedDeviceEvents,
  simulatedImei,
} from '../../src/simulation/index.ts';
import { loadFixtures } from '../support/fixtures.ts';
import { type System, startSystem } from '../support/system.ts';

const protocols = (await loadCatalogue()).streams.filter((p) => p.simulator.answer !== undefined);
const tcp = (protocol: StreamProtocol): boolean => protocol.transports.includes('tcp');

let system: System;
let numbers = 700;
const running: { device: SimulatedDevice; timer: NodeJS.Timeout }[] = [];

beforeAll(async () => {
  system = await startSystem({ WEBHOOK_PRIVATE: 'true' });
}, 240_000);
afterEach(() => {
  for (const { device, timer } of running.splice(0)) {
    clearInterval(timer);
    device.stop();
  }
});
afterAll(() => system?.stop(), 60_000);

/** A device that is online and reports all the time. */
function startDevice(
  protocol: StreamProtocol,
  answer: AnswerMode,
  events: SimulatedDeviceEvents = {},
  number = ++numbers,
) {
  const device = new SimulatedDevice(
    {
      id: simulatedImei(number),
      simulator: protocol.simulator,
      transport: tcp(protocol) ? 'tcp' : 'udp',
      host: '127.0.0.1',
      port: system.devicePort,
      answer,
      slowAnswerMs: 5_000,
    },
    events,
    systemClock,
  );
  const journey = new Journey(number, Date.UTC(2026, 10, 1));
  const report = (): void => {
    if (device.isReady && device.outstanding < 3) device.report(journey.take(1));
  };
  const timer = setInterval(report, 200);
  running.push({ device, timer });
  device.start();
  return device;
}

async function ask(method: string, path: string, body?: object) {
  const headers: Record<string, string> = { authorization: `Bearer ${system.key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await fetch(`http://127.0.0.1:${system.apiPort}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return (await answer.json()) as any;
}

/** Something harmless that devices of a protocol answer: by type where there is one, text, or what a fixture shows. */
function harmless(protocol: StreamProtocol): object {
  if (Object.hasOwn(protocol.commands, 'positionSingle')) return { type: 'positionSingle' };
  if (takes(protocol, 'getinfo')) return { gprsCommand: 'getinfo' };
  const shown = loadFixtures(protocol.id)
    .flatMap(({ fixture }) => fixture.commands ?? [])
    .find(({ type }) => type === 'custom');
  return { gprsCommand: shown?.params['data'] };
}

function takes(protocol: StreamProtocol, data: string): boolean {
  const deviceId = simulatedImei(1);
  const context = { state: protocol.initialState(deviceId), deviceId, options: {}, ticket: '1', now: 0 };
  try {
    return protocol.commands['custom']!.encode({ data }, context).length > 0;
  } catch {
    return false;
  }
}

/** Queues a command and gives it when it has ended. */
async function run(imei: string, body: object = {}) {
  const what = 'type' in body || 'gprsCommand' in body ? {} : { gprsCommand: 'getinfo' };
  const queued = await ask('POST', '/v1/gprsCommands/?wait=60', { imei, ...what, ...body });
  expect(queued.commandId, JSON.stringify(queued)).toMatch(/^cmd_/);
  return ask('GET', `/v1/gprsCommands/${queued.commandId}?wait=60`);
}

const online = async (imei: string): Promise<void> => {
  for (;;) {
    const device = await ask('GET', `/v1/devices/${imei}`);
    if (device.state === 'online') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const named = (id: string): StreamProtocol => protocols.find((p) => p.id === id)!;

describe.each(protocols.map((protocol) => [protocol.id, protocol] as const))('%s', (_, protocol) => {
  test('a command is answered and acknowledged', async () => {
    const device = startDevice(protocol, 'ack');
    await online(device.id);
    const done = await run(device.id, harmless(protocol));
    expect(done).toMatchObject({ status: 'acknowledged', ackBy: 'device', attempts: 1, error: null, late: false });
    expect(done.gatewayId).toMatch(/^gw-/);
  });
});

describe('a device that', () => {
  test.each(['gt06', 'jt808', 'h02'])('speaks %s and rejects the command: the command fails', async (id) => {
    const device = startDevice(named(id), 'refuse');
    await online(device.id);
    expect(await run(device.id)).toMatchObject({ status: 'failed', error: 'refused-by-device' });
  });

  test('does not answer but reports positions: the command is late, and fails after its last attempt', async () => {
    const device = startDevice(named('gt06'), 'silent');
    await online(device.id);
    const done = await run(device.id, { ackTimeoutSeconds: 1, maxAttempts: 2 });
    expect(done).toMatchObject({ status: 'failed', error: 'no-answer-in-time', attempts: 2, mayHaveExecuted: true });
    const once = await run(device.id, { ackTimeoutSeconds: 1, delivery: 'at_most_once' });
    expect(once).toMatchObject({ status: 'unknown', error: 'no-answer-in-time', attempts: 1, mayHaveExecuted: true });
  });

  test('answers after the answer time: the answer is matched to its command by the ticket', async () => {
    const device = startDevice(named('gt06'), 'slow');
    await online(device.id);
    const given = await run(device.id, { ackTimeoutSeconds: 1, maxAttempts: 1 });
    expect(given).toMatchObject({ status: 'failed', late: false });
    for (;;) {
      const now = await ask('GET', `/v1/gprsCommands/${given.commandId}`);
      if (now.status !== 'failed') {
        expect(now).toMatchObject({ status: 'acknowledged', late: true, mayHaveExecuted: false });
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  test('is offline receives its pending commands in delivery order, and a callback reports each final state', async () => {
    const heard: { commandId: string; status: string }[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      let text = '';
      for await (const chunk of request) text += chunk;
      heard.push(JSON.parse(text));
      response.end();
      receiver.emit('heard');
    };
    const receiver = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const number = ++numbers;
    const imei = simulatedImei(number);
    const ids: string[] = [];
    for (const priority of [5, 1, 5]) {
      const body = { imei, gprsCommand: `getinfo ${ids.length}`, priority, callbackUrl };
      ids.push((await ask('POST', '/v1/gprsCommands/', body)).commandId);
    }
    const waiting = await ask('GET', `/v1/gprsCommands/pending/${imei}`);
    expect(waiting.explain.map((e: { reason: string }) => e.reason)).toEqual(Array(3).fill('device-offline'));
    const texts: string[] = [];
    startDevice(named('teltonika'), 'ack', { command: (text) => texts.push(text) }, number);
    for (const id of ids) {
      expect(await ask('GET', `/v1/gprsCommands/${id}?wait=60`)).toMatchObject({ status: 'acknowledged' });
    }
    expect(texts).toEqual(['getinfo 1', 'getinfo 0', 'getinfo 2']);
    while (heard.length < 3) await once(receiver, 'heard');
    expect(heard.map(({ commandId }) => commandId).sort()).toEqual(ids.toSorted());
    expect(heard.every(({ status }) => status === 'acknowledged')).toBe(true);
    receiver.close();
    receiver.closeAllConnections();
  });
});
