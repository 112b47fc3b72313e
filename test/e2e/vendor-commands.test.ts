import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
const enqueue = (body: object, wait = 0) => ask('POST', `/v1/gprsCommands/?wait=${wait}`, body);
const find = (id: string, wait = 0) => ask('GET', `/v1/gprsCommands/${id}?wait=${wait}`);

/** Waits for a state that `wait` does not wait for. */
async function untilStatus(id: string, status: string) {
  for (;;) {
    const command = await find(id);
    if (command.status === status) return command;
    await sleep(50);
  }
}

/** A device that is nothing but bytes. */
class Device {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
  }

  static async open(): Promise<Device> {
    const socket = connect(system.devicePort, '127.0.0.1');
    await once(socket, 'connect');
    return new Device(socket);
  }

  send(hex: string): void {
    this.#socket.write(Buffer.from(hex, 'hex'));
  }

  /** The next bytes, in hex. */
  async take(count: number): Promise<string> {
    while (this.#received.length < count) await once(this.#socket, 'data');
    const taken = this.#received.subarray(0, count).toString('hex');
    this.#received = this.#received.subarray(count);
    return taken;
  }

  get unread(): number {
    return this.#received.length;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Teltonika wiki, "Teltonika Data Sending Protocols", examples of codec 12 */
const GETINFO = '000000000000000f0c010500000007676574696e666f0100004312';
const INFO =
  '00000000000000900c010600000088494e493a323031392f372f323220373a3232205254433a323031392f372f323220373a3533205253543a32204552523a312053523a302042523a302043463a302046473a3020464c3a302054553a302f302055543a3020534d533a30204e4f4750533a303a3330204750533a31205341543a302052533a332052463a36352053463a31204d443a30010000c78f';
const GETIO = '000000000000000d0c010500000005676574696f01000000cb';
const IO =
  '00000000000000370c01060000002f4449313a31204449323a30204449333a302041494e313a302041494e323a313639323420444f313a3020444f323a3101000066e3';
/**
 * The same page, codec 14: getver to 352093081452251, its answer, and that of a device with another IMEI. The page prints
 * the last one with the CRC 32AC, which is not that of its bytes.
 */
const GETVER_14 = '00000000000000160e01050000000e0352093081452251676574766572010000d2c1';
const VERSION_14 =
  '00000000000000ab0e0106000000a303520930814522515665723a30332e31382e31345f3034204750533a41584e5f352e31305f333333332048773a464d42313230204d6f643a313520494d45493a33353230393330383134353232353120496e69743a323031382d31312d323220373a313320557074696d653a3137323334204d41433a363042444430303136323631205350433a312830292041584c3a30204f42443a3020424c3a312e362042543a340100007aae';
const NOT_MINE_14 = '00000000000000100e0111000000080352093081452468010000635e';
/** codec 8: a record without a fix, so that the line is not silent */
const RECORD =
  '000000000000002808010000016b40d9ad80010000000000000000000000000000000103021503010101425e100000010000f22a';

const bytesOf = (hex: string): number => hex.length / 2;

async function teltonika(imei: string, options = {}): Promise<Device> {
  await ask('POST', '/v1/devices', { imei, options });
  const device = await Device.open();
  device.send(`000f${Buffer.from(imei).toString('hex')}`);
  expect(await device.take(1)).toBe('01');
  return device;
}

describe('Teltonika, codec 12', { timeout: 180_000 }, () => {
  test('a command is written as the vendor prints it, and its answer is returned to who waits', async () => {
    const imei = '352093081452001';
    const device = await teltonika(imei);
    const waiting = enqueue({ imei, gprsCommand: 'getinfo' }, 30);
    expect(await device.take(bytesOf(GETINFO))).toBe(GETINFO);
    device.send(INFO);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 'acknowledged', responseEncoding: 'text' });
    expect(answer.response).toMatch(/^INI:2019\/7\/22 7:22 RTC:2019\/7\/22 7:53 RST:2 .* MD:0$/);
    device.close();
  });

  test('a late answer belongs to its own command, and the next one waits for it', async () => {
    const imei = '352093081452002';
    const device = await teltonika(imei);
    const late = { imei, gprsCommand: 'getinfo', ackTimeoutSeconds: 4, delivery: 'at_most_once' };
    const { commandId } = await enqueue(late);
    expect(await device.take(bytesOf(GETINFO))).toBe(GETINFO);
    // the connection is not taken for dead
    device.send(RECORD);
    expect(await device.take(4)).toBe('00000001');
    expect(await find(commandId, 30)).toMatchObject({ status: 'unknown', mayHaveExecuted: true });
    const next = enqueue({ imei, gprsCommand: 'getio' }, 30);
    device.send(INFO);
    expect(await device.take(bytesOf(GETIO))).toBe(GETIO);
    device.send(IO);
    expect(await next).toMatchObject({ status: 'acknowledged', response: expect.stringMatching(/^DI1:1 .* DO2:1$/) });
    expect(await find(commandId)).toMatchObject({ status: 'acknowledged', late: true, mayHaveExecuted: false });
    device.close();
  });

  test('the answer to a cancelled command is not that of the next', async () => {
    const imei = '352093081452003';
    const device = await teltonika(imei);
    const { commandId } = await enqueue({ imei, gprsCommand: 'getinfo' });
    await device.take(bytesOf(GETINFO));
    await untilStatus(commandId, 'sent');
    const path = `/v1/gprsCommands/${commandId}`;
    expect(await ask('DELETE', path)).toMatchObject({ status: 409, code: 'command-in-flight' });
    expect(await ask('DELETE', `${path}?force=true`)).toMatchObject({ status: 'cancelled', wasStatus: 'sent' });
    const next = await enqueue({ imei, gprsCommand: 'getio' });
    const { explain } = await ask('GET', `/v1/gprsCommands/pending/${imei}`);
    expect(explain).toEqual([{ commandId: next.commandId, reason: 'waiting-for-answer' }]);
    expect(device.unread).toBe(0);
    device.send(INFO);
    expect(await device.take(bytesOf(GETIO))).toBe(GETIO);
    device.send(IO);
    expect((await find(next.commandId, 30)).response).toMatch(/^DI1:1 /);
    expect((await find(commandId)).response).toMatch(/^INI:/);
    device.close();
  });

  test('a command that is reset while its answer is awaited is ended by that answer, and is not written again', async () => {
    const imei = '352093081452004';
    const device = await teltonika(imei);
    const { commandId } = await enqueue({ imei, gprsCommand: 'getinfo' });
    await device.take(bytesOf(GETINFO));
    await untilStatus(commandId, 'sent');
    expect(await ask('PUT', `/v1/gprsCommands/${commandId}/reset`, {})).toMatchObject({ requeued: 1 });
    expect(device.unread).toBe(0);
    device.send(INFO);
    expect(await find(commandId, 30)).toMatchObject({
      status: 'acknowledged',
      response: expect.stringMatching(/^INI:/),
    });
    const next = await enqueue({ imei, gprsCommand: 'getio' });
    expect(await device.take(bytesOf(GETIO))).toBe(GETIO);
    device.send(IO);
    expect((await find(next.commandId, 30)).response).toMatch(/^DI1:1 /);
    device.close();
  });
});

test('Teltonika, codec 14: the device compares the IMEI and refuses with nACK', { timeout: 180_000 }, async () => {
  const imei = '352093081452251';
  const device = await teltonika(imei, { checkImei: true });
  for (const [reply, status] of [
    [VERSION_14, 'acknowledged'],
    [NOT_MINE_14, 'failed'],
  ] as const) {
    const waiting = enqueue({ imei, gprsCommand: 'getver' }, 30);
    expect(await device.take(bytesOf(GETVER_14))).toBe(GETVER_14);
    device.send(reply);
    const answer = await waiting;
    expect(answer.status).toBe(status);
    if (status === 'acknowledged') expect(answer.response).toMatch(/^Ver:03.18.14_04 GPS:AXN_5.10_3333 /);
  }
  device.close();
});

/** CRC-16/X-25 bit by bit (GT06 protocol document, appendix A), apart from the kit's own tables. */
function x25(hex: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(hex, 'hex')) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0x8408 : crc >> 1;
  }
  return (crc ^ 0xffff).toString(16).padStart(4, '0');
}
const short = (inner: string): string => `7878${inner}${x25(inner)}0d0a`;
const long = (inner: string): string => `7979${inner}${x25(inner)}0d0a`;
const text = (ascii: string): string => Buffer.from(ascii).toString('hex');

/** Type 80 (protocol document 1.8.1, 6.1): length, 80, length of flag and text, server flag, text, and what follows. */
async function takeCommand(device: Device, expected: string): Promise<string> {
  const head = await device.take(3);
  const rest = await device.take(Number.parseInt(head.slice(4), 16) + 2);
  const inner = head.slice(4) + rest.slice(0, -8);
  expect(`${head}${rest}`).toBe(short(inner));
  const size = (4 + expected.length).toString(16).padStart(2, '0');
  expect(rest.slice(0, 4)).toBe(`80${size}`);
  expect(rest.slice(12, 12 + 2 * expected.length)).toBe(text(expected));
  return rest.slice(4, 12);
}

/** Type 15: length of flag and text, flag, text, language, serial number. */
function shortAnswer(flag: string, said: string): string {
  const content = `${(4 + said.length).toString(16).padStart(2, '0')}${flag}${text(said)}0002`;
  return short(`${(content.length / 2 + 5).toString(16).padStart(2, '0')}15${content}0001`);
}
/** Type 21, in a packet with two bytes of length: flag, 1 for ASCII, text, serial number. */
function longAnswer(flag: string, said: string): string {
  const content = `${flag}01${text(said)}`;
  return long(`${(content.length / 2 + 5).toString(16).padStart(4, '0')}21${content}0002`);
}
const HEARTBEAT = short('0a134004040001000f');

test('GT06: commands (80) are answered by server flag (15, 21), in any order', { timeout: 180_000 }, async () => {
  const imei = '352093081452111';
  await ask('POST', '/v1/devices', { imei });
  const device = await Device.open();
  device.send(short(`0d010${imei}0001`));
  expect(await device.take(10)).toBe('787805010001d9dc0d0a');
  const waiting = enqueue({ imei, gprsCommand: 'STATUS#' }, 30);
  device.send(longAnswer(await takeCommand(device, 'STATUS#'), 'Battery:4.16V,NORMAL; GPRS:Link Up'));
  expect(await waiting).toMatchObject({ status: 'acknowledged', response: 'Battery:4.16V,NORMAL; GPRS:Link Up' });

  const late = { imei, gprsCommand: 'WHERE#', ackTimeoutSeconds: 1, delivery: 'at_most_once' };
  const { commandId } = await enqueue(late);
  const flag = await takeCommand(device, 'WHERE#');
  device.send(HEARTBEAT);
  expect(await device.take(10)).toMatch(/^787805130/);
  expect(await find(commandId, 30)).toMatchObject({ status: 'unknown' });
  // by ticket nothing has to wait for the late answer
  const next = await enqueue({ imei, gprsCommand: 'VERSION#' });
  const nextFlag = await takeCommand(device, 'VERSION#');
  expect(nextFlag).not.toBe(flag);
  device.send(shortAnswer(flag, 'WHERE=No fix!'));
  expect(await untilStatus(commandId, 'acknowledged')).toMatchObject({ late: true, response: 'WHERE=No fix!' });
  device.send(shortAnswer(nextFlag, 'VERSION=1.0'));
  expect(await find(next.commandId, 30)).toMatchObject({ status: 'acknowledged', response: 'VERSION=1.0' });
  device.close();
});
