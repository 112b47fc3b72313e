import { afterEach, describe, expect, it } from 'vitest';
import type { StreamProtocol } from '#codec';
import eelink from '../../../protocols/eelink/index.ts';
import gt06 from '../../../protocols/gt06/index.ts';
import teltonika from '../../../protocols/teltonika/index.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { SimulatedDevice } from '../../../src/simulation/index.ts';
import { IMEI, type Running, startGateway } from './support.ts';

let running: Running | undefined;
let device: SimulatedDevice | undefined;

afterEach(async () => {
  device?.stop();
  running?.gateway.stopAccepting();
  running?.gateway.stopReading();
  await running?.gateway.close(1_000);
  running = undefined;
});

const fix = { time: 1_700_000_000_000, latitude: 48.1, longitude: 11.6, speed: 50, course: 90, ignition: true };

describe('a simulated device that speaks by datagrams', () => {
  it.each([
    ['teltonika', teltonika],
    ['eelink', eelink],
    ['gt06', gt06],
  ] as [string, StreamProtocol<unknown>][])(
    'is admitted, and its report is acknowledged (%s)',
    async (id, protocol) => {
      running = await startGateway({ protocols: [protocol as StreamProtocol] });
      const { gateway, recorder } = running;
      const udp = gateway.openPorts.find(({ transport }) => transport === 'udp')!;
      const acknowledged = new Promise<void>((resolve) => {
        const settings = {
          transport: 'udp',
          host: '127.0.0.1',
          port: udp.port,
          answer: 'ack',
          slowAnswerMs: 0,
        } as const;
        device = new SimulatedDevice(
          { id: IMEI, simulator: protocol.simulator, ...settings },
          { acknowledged: () => resolve(), admitted: () => device!.report([fix]) },
          systemClock,
        );
      });
      device!.start();
      await acknowledged;
      expect([...gateway.online()]).toMatchObject([{ imei: IMEI, transport: 'udp' }]);
      expect(recorder.list().filter(({ kind }) => kind === 'position')).toMatchObject([
        { protocol: id, latitude: 48.1, longitude: 11.6 },
      ]);
    },
  );
});
