import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type System, startSystem } from '../support/system.ts';
import { cardFile, datesFrom, dayOf, ordinary, secondsOf } from '../support/tachograph.ts';

const IMEI = '352054058132185';
const BLOCK_BYTES = 512;

let system: System;
let device: Socket;

beforeAll(async () => {
  system = await startSystem({ DDD_REMOTE_SECONDS: '1' });
}, 240_000);
afterAll(async () => {
  device?.destroy();
  await system?.stop();
}, 60_000);

async function ask(method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${system.apiPort}${path}`, {
    method,
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  const read = (await answer.json()) as any;
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`);
  return read;
}

/** Lines that the server sends, each as soon as it is there. */
function lineReader(socket: Socket): () => Promise<string> {
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1');
  });
  return async () => {
    while (!text.includes('\r\n')) await once(socket, 'data');
    const end = text.indexOf('\r\n');
    const line = text.slice(0, end);
    text = text.slice(end + 2);
    return line;
  };
}

/** CRC-16/ARC, which version 2.0 ends lines and blocks with. */
function checksum(bytes: Uint8Array): string {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc.toString(16).toUpperCase();
}

test('a card that is due is requested from the device of its driver’s vehicle, and archived', async () => {
  const driver = await ask('POST', '/v1/drivers', { name: 'Łucja', cardNumber: 'I000000012345600' });
  await ask('POST', '/v1/vehicles', { targa: 'AB123CD' });
  await ask('POST', '/v1/devices', { imei: IMEI });
  await ask('POST', '/v1/pairings', { targa: 'AB123CD', imei: IMEI });
  await ask('POST', '/v1/pairings', { targa: 'AB123CD', driverId: driver.id });
  device = connect(system.devicePort, '127.0.0.1');
  await once(device, 'connect');
  const line = lineReader(device);
  const login = `2.0;${IMEI};NA;`;
  device.write(`#L#${login}${checksum(Buffer.from(login))}\r\n`);
  expect(await line()).toBe('#AL#1');

  const { id } = await ask('PUT', '/v1/drivers/ddd/remote', { driverId: driver.id, everyDays: 21 });
  expect(await line()).toBe('#QT#');
  const open = { id, driverId: driver.id, state: 'requested', imei: IMEI, status: 'never', error: null };
  // the device may have the command before the schedule has the device
  await vi.waitFor(async () => expect((await ask('GET', '/v1/drivers/ddd/remote')).items).toMatchObject([open]));

  const file = cardFile({
    number: 'I000000012345600',
    days: datesFrom('2026-03-02', 3).map((date) => dayOf(date, ordinary)),
    lastDownload: secondsOf('2026-03-05T20:00:00Z'),
  });
  const blocks = Math.ceil(file.length / BLOCK_BYTES);
  const info = `050326;200000;I000000012345600;41;${blocks};`;
  device.write(`#IT#${info}${checksum(Buffer.from(info))}\r\n`);
  expect(await line()).toBe('#AIT#1');
  for (let n = 0; n < blocks; n++) {
    const block = file.subarray(n * BLOCK_BYTES, (n + 1) * BLOCK_BYTES);
    device.write(Buffer.concat([Buffer.from(`#T#41;${block.length};${n};${checksum(block)}\r\n`), block]));
    expect(await line()).toBe(`#AT#${n};1`);
  }
  expect(await line()).toBe('#AT#1');

  const received = await vi.waitFor(
    async () => {
      const [now] = (await ask('GET', '/v1/drivers/ddd/remote')).items;
      expect(now.state).toBe('received');
      return now;
    },
    { timeout: 60_000, interval: 100 },
  );
  expect(received).toMatchObject({ error: null, downloadedAt: '2026-03-05T20:00:00Z', status: 'overdue' });
  const { items } = await ask('GET', '/v1/drivers/ddd/files');
  expect(items).toMatchObject([
    {
      fileId: received.fileId,
      driverId: driver.id,
      name: 'I000000012345600_20260305_200000_41.ddd',
      size: file.length,
    },
  ]);
  expect((await ask('GET', `/v1/gprsCommands/${received.commandId}`)).status).toBe('acknowledged');
  const [state] = (await ask('GET', '/v1/drivers/ddd/me')).items;
  expect(state).toMatchObject({ driverId: driver.id, remote: { id, state: 'received', fileId: received.fileId } });
}, 180_000);
