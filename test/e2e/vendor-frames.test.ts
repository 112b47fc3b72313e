import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type System, startSystem } from '../support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

/** CRC-16/X-25 bit by bit (GT06 protocol document, appendix A), apart from the kit's own tables. */
function x25(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return crc ^ 0xffff;
}

const gt06 = (inner: string): string => {
  const bytes = Buffer.from(inner, 'hex');
  return `7878${inner}${x25(bytes).toString(16).padStart(4, '0')}0d0a`;
};

async function open(): Promise<Socket> {
  const socket = connect(system.devicePort, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends a frame and reads an answer of so many bytes, in hex. */
async function exchange(socket: Socket, frame: string, answerBytes: number): Promise<string> {
  let answer = Buffer.alloc(0);
  socket.write(Buffer.from(frame, 'hex'));
  while (answer.length < answerBytes) answer = Buffer.concat([answer, (await once(socket, 'data'))[0] as Buffer]);
  return answer.toString('hex');
}

interface Pos {
  readonly imei: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly fixTime: string;
  readonly protocol: string;
}

async function position(imei: string): Promise<Pos> {
  for (;;) {
    const found = await system.get<Pos>(`/v1/vehicles/${imei}/position`).catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(50);
  }
}

/** The oldest record, with or without a fix. */
async function record(imei: string): Promise<Pos> {
  for (;;) {
    const list = await system.get<{ items: Pos[] }>(`/v1/devices/${imei}/positions?limit=1`).catch(() => undefined);
    if (list?.items[0] !== undefined) return list.items[0];
    await sleep(50);
  }
}

const TELTONIKA = '356307042441013';
/** Codec 8, second example of the vendor's page "Teltonika Data Sending Protocols": a record without satellites at 0/0 */
const CODEC_8 =
  '000000000000002808010000016b40d9ad80010000000000000000000000000000000103021503010101425e100000010000f22a';
/** GT06 protocol document 1.8.1, 5.1.1 (login) and 5.2.1 (location), with an IMEI of its own */
const GT06_LOGIN = gt06('0d0101234567890123450001');
const GT06_LOCATION = gt06('1f120b081d112e10cf027ac7eb0c46584900148f01cc00287d001fb80003');

const check = async (): Promise<void> => {
  const teltonika = await open();
  const imei = Buffer.from(TELTONIKA).toString('hex');
  expect(await exchange(teltonika, `000f${imei}`, 1)).toBe('01');
  expect(await exchange(teltonika, CODEC_8, 4)).toBe('00000001');
  teltonika.destroy();
  expect(await record(TELTONIKA)).toMatchObject({ protocol: 'teltonika', fixTime: '2019-06-10T10:05:36Z' });

  const concox = await open();
  expect(await exchange(concox, GT06_LOGIN, 10)).toBe('787805010001d9dc0d0a');
  expect(await exchange(concox, GT06_LOCATION, 10)).toBe(gt06('05120003'));
  concox.destroy();
  const found = await position('123456789012345');
  expect(found).toMatchObject({ protocol: 'gt06', fixTime: '2011-08-29T17:46:16Z' });
  // 027AC7EB and 0C465849, each ÷ 1,800,000
  expect(found.latitude).toBeCloseTo(23.111668, 5);
  expect(found.longitude).toBeCloseTo(114.409285, 5);
};

describe('frames of vendors’ documents, by a plain TCP client', () => {
  it('get the exact acknowledgements, and their positions are stored', { timeout: 180_000 }, check);

  it('get the same acknowledgements after kill -9 of all processes and a restart', { timeout: 300_000 }, async () => {
    await system.killAll();
    await system.start();
    expect(await record(TELTONIKA)).toMatchObject({ fixTime: '2019-06-10T10:05:36Z' });
    await check();
  });
});
