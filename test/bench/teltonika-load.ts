import { connect, type Socket } from 'node:net';
import { crc16Arc } from '#codec';
import { Percentiles, simulatedImei } from '../../src/simulation/index.ts';

const RECORDS = 10;
/** five elements a record, as a tracker on its way sends them: ignition, movement, signal, speed, supply, odometer */
const ELEMENTS_1: readonly (readonly [number, number])[] = [
  [239, 1],
  [240, 1],
  [21, 4],
];
const RECORD_BYTES = 8 + 1 + 15 + 2 + 2 + (2 + ELEMENTS_1.length * 3) + (2 + 2 * 4) + (2 + 6) + 2 + 2;
/** between records: a load of minutes is over by now, none of its times is ahead, and none of them old */
const STEP_MS = 10;
const bytesOf = (records: number): number => 8 + 2 + records * RECORD_BYTES + 1 + 4;

/** A whole Codec 8 Extended packet whose times are still to be written (vendor's wiki, Codec 8 Extended). */
export function packetTemplate(device: number, records = RECORDS): Buffer {
  const packet = Buffer.alloc(bytesOf(records));
  packet.writeUInt32BE(packet.length - 12, 4);
  packet[8] = 0x8e;
  packet[9] = records;
  let at = 10;
  for (let n = 0; n < records; n++) {
    at += 8;
    packet[at++] = 0;
    at = packet.writeInt32BE(125_000_000 + device * 1000 + n * 37, at);
    at = packet.writeInt32BE(419_000_000 + device * 1000 + n * 53, at);
    at = packet.writeInt16BE(20 + n, at);
    at = packet.writeUInt16BE((n * 30) % 360, at);
    packet[at++] = 9;
    at = packet.writeUInt16BE(50 + n, at);
    at = packet.writeUInt16BE(0, at);
    at = packet.writeUInt16BE(ELEMENTS_1.length + 3, at);
    at = packet.writeUInt16BE(ELEMENTS_1.length, at);
    for (const [id, value] of ELEMENTS_1) {
      at = packet.writeUInt16BE(id, at);
      packet[at++] = value;
    }
    at = packet.writeUInt16BE(2, at);
    at = packet.writeUInt16BE(66, at);
    at = packet.writeUInt16BE(12_600 + n, at);
    at = packet.writeUInt16BE(24, at);
    at = packet.writeUInt16BE(50 + n, at);
    at = packet.writeUInt16BE(1, at);
    at = packet.writeUInt16BE(16, at);
    at = packet.writeUInt32BE(1_000_000 + n, at);
    at = packet.writeUInt16BE(0, at);
    at = packet.writeUInt16BE(0, at);
  }
  packet[at++] = records;
  if (at + 4 !== packet.length) throw new Error(`the packet has ${at + 4} bytes, not ${packet.length}`);
  return packet;
}

/** Gives every record a time of its own, and the packet its checksum. */
export function stamp(packet: Buffer, firstMs: number): void {
  for (let n = 0; n < packet[9]!; n++) {
    const ms = firstMs + n * STEP_MS;
    const at = 10 + n * RECORD_BYTES;
    packet.writeUInt32BE(Math.floor(ms / 0x1_0000_0000), at);
    packet.writeUInt32BE(ms % 0x1_0000_0000, at + 4);
  }
  packet.writeUInt32BE(crc16Arc(packet, 8, packet.length - 4), packet.length - 4);
}

export interface LoadFigures {
  /** records acknowledged by the server */
  readonly acknowledged: number;
  /** seconds from the first packet to the last acknowledgement */
  readonly seconds: number;
  readonly latency: Percentiles;
}

export interface LoadSettings {
  readonly port: number;
  readonly devices: number;
  readonly seconds: number;
  /** packets a second over all devices; 0: each device sends as soon as it is acknowledged */
  readonly rate: number;
  /** number of the first device, so that runs do not share devices */
  readonly first: number;
  /** epoch ms of the first record */
  readonly startAt: number;
}

/** Devices that log in and send, one packet outstanding each. */
export async function runLoad(settings: LoadSettings): Promise<LoadFigures> {
  const latency = new Percentiles();
  const devices = await Promise.all(
    Array.from({ length: settings.devices }, (_, i) => LoadDevice.open(settings, settings.first + i, latency)),
  );
  const began = performance.now();
  const until = began + settings.seconds * 1000;
  let pacer: NodeJS.Timeout | undefined;
  if (settings.rate === 0) for (const device of devices) device.sendUntil(until);
  else {
    let due = 0;
    let last = began;
    let next = 0;
    pacer = setInterval(() => {
      const now = performance.now();
      due = Math.min(due + ((now - last) / 1000) * settings.rate, devices.length);
      last = now;
      for (let tried = 0; due >= 1 && tried < devices.length && now < until; tried++) {
        next = (next + 1) % devices.length;
        if (devices[next]!.sendIfFree()) due--;
      }
    }, 2);
  }
  await new Promise((resolve) => setTimeout(resolve, settings.seconds * 1000));
  clearInterval(pacer);
  await Promise.all(devices.map((device) => device.finish()));
  const seconds = (performance.now() - began) / 1000;
  for (const device of devices) device.close();
  return { acknowledged: devices.reduce((sum, d) => sum + d.acknowledged, 0), seconds, latency };
}

class LoadDevice {
  acknowledged = 0;
  readonly #socket: Socket;
  readonly #packet: Buffer;
  readonly #latency: Percentiles;
  #time: number;
  #sentAt: number | undefined;
  #until = 0;
  #missing = 4;
  #finished: (() => void) | undefined;

  constructor(socket: Socket, device: number, startAt: number, latency: Percentiles) {
    this.#socket = socket;
    this.#packet = packetTemplate(device);
    this.#time = startAt;
    this.#latency = latency;
    socket.on('data', (chunk: Buffer) => this.#take(chunk.length));
  }

  static open({ port, startAt }: LoadSettings, device: number, latency: Percentiles): Promise<LoadDevice> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => socket.write(`\x00\x0f${simulatedImei(device)}`, 'latin1'));
      socket.once('data', (answer: Buffer) => {
        if (answer[0] !== 1) reject(new Error('the device is not admitted'));
        else resolve(new LoadDevice(socket, device, startAt, latency));
      });
    });
  }

  sendUntil(until: number): void {
    this.#until = until;
    this.#send();
  }

  sendIfFree(): boolean {
    if (this.#sentAt !== undefined) return false;
    this.#send();
    return true;
  }

  finish(): Promise<void> {
    if (this.#sentAt === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #send(): void {
    stamp(this.#packet, this.#time);
    this.#time += RECORDS * STEP_MS;
    this.#sentAt = performance.now();
    this.#socket.write(Buffer.from(this.#packet));
  }

  #take(bytes: number): void {
    this.#missing -= bytes;
    if (this.#missing > 0 || this.#sentAt === undefined) return;
    this.#missing = 4;
    const now = performance.now();
    this.#latency.add(now - this.#sentAt);
    this.#sentAt = undefined;
    this.acknowledged += RECORDS;
    if (now < this.#until) this.#send();
    else this.#finished?.();
  }
}
