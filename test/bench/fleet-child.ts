import { connect, type Socket } from 'node:net';
import { simulatedImei } from '../../src/simulation/index.ts';
import { packetTemplate, stamp } from './teltonika-load.ts';

/** What a process of devices is given: they connect to the ports alternately, from the addresses alternately. */
export interface FleetPart {
  readonly ports: readonly number[];
  readonly addresses: readonly string[];
  readonly first: number;
  readonly count: number;
  /** ms between two reports of a device */
  readonly everyMs: number;
  /** connections that are begun in a second */
  readonly perSecond: number;
  /** epoch ms of the first report, and ms between two reports of this process: each has a time of its own */
  readonly startAt: number;
  readonly stepMs: number;
}

/** What it answers when it is asked. */
export interface FleetCounts {
  readonly admitted: number;
  readonly acknowledged: number;
  readonly outstanding: number;
  /** connections that were closed or could not be opened, since the start */
  readonly lost: number;
  /** logins that were answered with a refusal, since the start */
  readonly refused: number;
  /** times of reports that were sent and not acknowledged before their connection ended, epoch ms */
  readonly unanswered: readonly number[];
}

/** between two attempts of a device: the first, and the longest */
const RETRY_MS = [500, 8_000] as const;
const TICK_MS = 20;

interface Device {
  readonly number: number;
  socket: Socket | undefined;
  isAdmitted: boolean;
  /** time of the report that is to be acknowledged */
  sent: number | undefined;
  missing: number;
  failures: number;
}

let part: FleetPart;
let devices: Device[] = [];
let isReporting = false;
let acknowledged = 0;
let lost = 0;
let refused = 0;
let reports = 0;
let next = 0;
const unanswered: number[] = [];

const open = (device: Device): void => {
  const { ports, addresses, first } = part;
  const at = device.number - first;
  const socket = connect({
    port: ports[device.number % ports.length]!,
    host: '127.0.0.1',
    localAddress: addresses[at % addresses.length]!,
    noDelay: true,
  });
  device.socket = socket;
  socket.once('connect', () => socket.write(`\x00\x0f${simulatedImei(device.number)}`, 'latin1'));
  socket.on('data', (data) => take(device, data));
  socket.on('error', () => {});
  socket.once('close', () => {
    lost++;
    device.isAdmitted = false;
    if (device.sent !== undefined) unanswered.push(device.sent);
    device.sent = undefined;
    device.failures++;
    // as devices do: soon, then less often, not all at the same instant
    const [shortest, longest] = RETRY_MS;
    const pause = Math.min(longest, shortest * 2 ** Math.min(10, device.failures - 1));
    setTimeout(() => open(device), pause * (0.5 + Math.random()));
  });
};

function take(device: Device, data: Buffer): void {
  if (!device.isAdmitted) {
    if (data[0] !== 1) {
      refused++;
      device.socket?.destroy();
      return;
    }
    device.isAdmitted = true;
    device.failures = 0;
    return;
  }
  device.missing -= data.length;
  if (device.missing > 0 || device.sent === undefined) return;
  device.sent = undefined;
  acknowledged++;
}

/** A report that was not acknowledged is not repeated: the next one has another time. */
function report(device: Device): void {
  if (!device.isAdmitted || device.sent !== undefined) return;
  const packet = packetTemplate(device.number, 1);
  device.sent = part.startAt + part.stepMs * reports++;
  stamp(packet, device.sent);
  device.missing = 4;
  device.socket!.write(packet);
}

function start(): void {
  devices = Array.from({ length: part.count }, (_, n) => ({
    number: part.first + n,
    socket: undefined,
    isAdmitted: false,
    sent: undefined,
    missing: 0,
    failures: 0,
  }));
  const began = performance.now();
  let opened = 0;
  let due = 0;
  let last = began;
  setInterval(() => {
    const now = performance.now();
    for (const until = Math.min(part.count, ((now - began) / 1_000) * part.perSecond); opened < until; opened++) {
      open(devices[opened]!);
    }
    if (isReporting) {
      for (due += ((now - last) * part.count) / part.everyMs; due >= 1; due--) report(devices[next++ % part.count]!);
    }
    last = now;
  }, TICK_MS);
}

const counts = (): FleetCounts => ({
  admitted: devices.reduce((sum, { isAdmitted }) => sum + Number(isAdmitted), 0),
  outstanding: devices.reduce((sum, { sent }) => sum + Number(sent !== undefined), 0),
  acknowledged,
  lost,
  refused,
  unanswered,
});

process.on('message', (message: FleetPart | 'report' | 'rest' | 'count') => {
  if (message === 'count') process.send!(counts());
  else if (message === 'report') isReporting = true;
  else if (message === 'rest') isReporting = false;
  else {
    part = message;
    start();
  }
});
process.on('disconnect', () => process.exit());
