import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type System, startSystem } from '../support/system.ts';

let system: System;
beforeAll(async () => {
  system = await startSystem();
}, 240_000);
afterAll(() => system?.stop(), 60_000);

async function ask(method: string, path: string, body?: object) {
  const headers: Record<string, string> = { authorization: `Bearer ${system.key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const url = `http://127.0.0.1:${system.apiPort}${path}`;
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return (await answer.json()) as any;
}

/** What a device reports. */
interface Report {
  readonly time: Date;
  readonly hasFix: boolean;
  /** km/h */
  readonly speed: number;
}

interface Device {
  readonly imei: string;
  readonly login: string | undefined;
  readonly frameOf: (report: Report) => string;
  /** what is in the bytes of the command */
  readonly stop: string;
}

const hex = (value: number, bytes: number): string => value.toString(16).padStart(2 * bytes, '0');
const text = (ascii: string): string => Buffer.from(ascii).toString('hex');
const two = (value: number): string => String(value).padStart(2, '0');

function crc16(bytes: string, [start, polynomial]: readonly [number, number]): number {
  let crc = start;
  for (const byte of Buffer.from(bytes, 'hex')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ polynomial : crc >> 1;
  }
  return crc;
}
const IBM = [0, 0xa001] as const;
const X25 = [0xffff, 0x8408] as const;

/** Codec 8: one record without elements; without a fix it has no satellites and speed 0. */
function teltonikaFrame({ time, hasFix, speed }: Report): string {
  const place = `${hex(124_800_000, 4)}${hex(418_900_000, 4)}0028002d`;
  const record = `${hex(time.getTime(), 8)}00${place}${hex(hasFix ? 9 : 0, 1)}${hex(speed, 2)}000000000000`;
  const data = `0801${record}01`;
  return `00000000${hex(data.length / 2, 4)}${data}${hex(crc16(data, IBM), 4)}`;
}

const gt06Frame = (inner: string): string => `7878${inner}${hex(crc16(inner, X25) ^ 0xffff, 2)}0d0a`;

/** Type 12: bit 12 of the flags says that there is a fix. */
function gt06Location({ time, hasFix, speed }: Report): string {
  const date = [
    time.getUTCFullYear() % 100,
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
  ];
  const place = `${hex(Math.round(41.89 * 1_800_000), 4)}${hex(Math.round(12.48 * 1_800_000), 4)}`;
  const flags = 0x0400 | (hasFix ? 0x1000 : 0);
  const content = `${date.map((part) => hex(part, 1)).join('')}c9${place}${hex(speed, 1)}${hex(flags, 2)}`;
  return gt06Frame(`1f12${content}01cc00287d001fb80003`);
}

/** V1: A with a fix, V without. */
function h02Sentence(imei: string, { time, hasFix, speed }: Report): string {
  const clock = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join('');
  const date = [time.getUTCDate(), time.getUTCMonth() + 1, time.getUTCFullYear() % 100].map(two).join('');
  const fix = `${clock},${hasFix ? 'A' : 'V'},4153.4000,N,01228.8000,E,${(speed / 1.852).toFixed(2)},0,${date}`;
  return text(`*HQ,${imei},V1,${fix},FFFFFBFF#`);
}

const TELTONIKA = '352093081453001';
const GT06 = '352093081453002';
const H02 = '4209953003';
const DEVICES: readonly (readonly [string, Device])[] = [
  [
    'Teltonika without satellites',
    { imei: TELTONIKA, login: `000f${text(TELTONIKA)}`, frameOf: teltonikaFrame, stop: text('setdigout 1') },
  ],
  [
    'GT06 without the bit of a fix',
    { imei: GT06, login: gt06Frame(`0d010${GT06}0001`), frameOf: gt06Location, stop: text('Relay,1#') },
  ],
  [
    'H02 with V',
    { imei: H02, login: undefined, frameOf: (report) => h02Sentence(H02, report), stop: text(`*HQ,${H02},S20,`) },
  ],
];

test.each(DEVICES)(
  '%s: a vehicle is not stopped by a record without a fix, nor by one that arrives late',
  { timeout: 120_000 },
  async (_, { imei, login, frameOf, stop }) => {
    await ask('POST', '/v1/devices', { imei });
    const socket: Socket = connect(system.devicePort, '127.0.0.1');
    await once(socket, 'connect');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('hex');
    });
    if (login !== undefined) socket.write(Buffer.from(login, 'hex'));
    let count = 0;
    /** Sends a record and waits until it is stored; claims are made in the same transaction. */
    const report = async (secondsAgo: number, hasFix: boolean, speed: number): Promise<void> => {
      const time = new Date(Date.now() - secondsAgo * 1_000);
      socket.write(Buffer.from(frameOf({ time, hasFix, speed }), 'hex'));
      count++;
      for (;;) {
        const { items = [] } = await ask('GET', `/v1/devices/${imei}/positions`);
        if (items.length === count) return;
        await sleep(50);
      }
    };
    const reasons = async (): Promise<string[]> => {
      const { explain } = await ask('GET', `/v1/gprsCommands/pending/${imei}`);
      return explain.map(({ reason }: { reason: string }) => reason);
    };

    await report(6, true, 80);
    const conditions = { maxSpeed: 5 };
    const { commandId } = await ask('POST', '/v1/gprsCommands/', { imei, type: 'engineStop', conditions });
    expect(commandId).toMatch(/^cmd_/);
    expect(await reasons()).toEqual(['condition:maxSpeed']);
    await report(4, false, 0);
    expect(await reasons()).toEqual(['condition:no-fresh-position']);
    await report(600, true, 0);
    expect(await reasons()).toEqual(['condition:no-fresh-position']);
    await report(2, true, 78);
    expect(await reasons()).toEqual(['condition:maxSpeed']);
    expect(received).not.toContain(stop);

    await report(0, true, 3);
    while (!received.includes(stop)) await once(socket, 'data');
    socket.destroy();
  },
);
