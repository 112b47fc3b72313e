import { afterEach, describe, expect, it } from 'vitest';
import gt06 from '../../../protocols/gt06/index.ts';
import { bothWays, Client, count, IMEI, LIMITS, type Running, startGateway } from './support.ts';

let running: Running | undefined;

afterEach(async () => {
  running?.gateway.stopAccepting();
  running?.gateway.stopReading();
  await running?.gateway.close(1_000);
  running = undefined;
});

/** The frame with an invalid checksum; it stands before the line end. */
function broken(frame: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(frame);
  copy[copy.length - 3]! ^= 0xff;
  return copy;
}

const fix = { time: 1_700_000_000_000, latitude: 48.1, longitude: 11.6, speed: 50, course: 90, ignition: true };
const login = gt06.simulator.login!(IMEI, 1);
const report = gt06.simulator.report([fix], IMEI, 2);

describe('devices with wrong checksums', () => {
  it.each([
    ['gt06', {}],
    ['all', { [IMEI]: { model: 'X' } }],
  ])('are accepted on the ports of lenient services (%s)', async (service, known) => {
    running = await startGateway({ protocols: [gt06], lenientServices: [service] });
    const { gateway, recorder, port } = running;
    for (const [imei, options] of Object.entries(known)) gateway.apply({ type: 'device', device: { imei, options } });
    const client = await Client.open(port);
    client.send(broken(login));
    expect(await client.take(2)).toBe('7878');
    client.send(broken(report));
    await recorder.until((list) => count(list, 'position') === 1);
    client.socket.destroy();
    await client.closed;
  });

  it('are not answered on other ports', async () => {
    running = await startGateway({ protocols: [gt06], lenientServices: ['h02'] });
    const client = await Client.open(running.port);
    client.send(broken(login));
    client.send(login);
    await client.take(10);
    expect(count(running.recorder.list(), 'session-opened')).toBe(1);
    expect(running.gateway.counters.of('gt06').badChecksum).toBe(1);
    client.socket.destroy();
    await client.closed;
  });
});

describe('bytes that are not part of a frame', () => {
  const limits = {
    ...LIMITS,
    maxConnections: 10,
    maxUnidentifiedPerAddress: 10,
    identifyTimeoutMs: 30_000,
    idleTimeoutMs: 60_000,
    udpOnlineMs: 60_000,
    maxJunkBytes: 1_024,
    framesPerSlice: 256,
  };
  const frame = bothWays.simulator.login!(IMEI, 1);

  it('end a connection if there are too many in a row', async () => {
    running = await startGateway({ protocols: [bothWays], limits });
    const client = await Client.open(running.port);
    client.send(Buffer.alloc(1_025, 'x'));
    await client.closed;
  });

  it('are accepted between frames', async () => {
    running = await startGateway({ protocols: [bothWays], limits });
    const client = await Client.open(running.port);
    for (let n = 0; n < 4; n++) {
      client.send(Buffer.concat([Buffer.alloc(900, 'x'), frame]));
      await client.take(7);
    }
    client.socket.destroy();
    await client.closed;
  });
});
