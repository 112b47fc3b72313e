import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type buildConnector, request } from 'undici';
import type { SimulatedFix, Simulator } from '#codec';
import type { Clock } from '../platform/clock.ts';
import { SimulatedDevice } from './device.ts';

/** What a round checks, in this order: the device's report is acknowledged, the API shows it, a command is answered. */
export const PROBE_STEPS = ['acknowledge', 'position', 'command'] as const;
export type ProbeStep = (typeof PROBE_STEPS)[number];

export interface ProbeSettings {
  readonly simulator: Simulator;
  /** id of a device that is registered, or that AUTO_REGISTER accepts */
  readonly deviceId: string;
  readonly host: string;
  readonly port: number;
  readonly apiUrl: string;
  /** key with the scopes positions:read and commands:write */
  readonly apiKey: string;
  /** text of the command */
  readonly command: string;
  /** opens the connections to the API: by which certificates it is trusted */
  readonly connector?: buildConnector.connector | undefined;
  /** longest time of one step, ms */
  readonly timeoutMs: number;
}

export interface StepResult {
  readonly step: ProbeStep;
  readonly ok: boolean;
  readonly seconds: number;
  /** reason, if not ok */
  readonly detail?: string;
}

/** A device that lies still at 0° 30' N, 0° 30' E, in the sea: nobody takes it for a vehicle. */
const PLACE = { latitude: 0.5, longitude: 0.5, speed: 0, course: 0, ignition: false } as const;
const POLL_MS = 50;

/** How the API is called in one round. */
interface Client extends ProbeSettings {
  readonly agent: Agent;
}

/** One round, over a connection of its own. A step that fails ends it: what follows depends on it. */
export async function probe(settings: ProbeSettings, clock: Clock): Promise<StepResult[]> {
  const { simulator, deviceId: id, host, port } = settings;
  let acknowledged: () => void = () => undefined;
  const acknowledgement = new Promise<void>((resolve) => {
    acknowledged = resolve;
  });
  const device = new SimulatedDevice(
    { id, simulator, transport: 'tcp', host, port, answer: 'ack', slowAnswerMs: 0 },
    { acknowledged },
    clock,
  );
  const fix: SimulatedFix = { ...PLACE, time: Math.floor(clock.now() / 1000) * 1000 };
  const agent = new Agent(settings.connector === undefined ? {} : { connect: settings.connector });
  const client = { ...settings, agent };
  const steps: Record<ProbeStep, (signal: AbortSignal) => Promise<void>> = {
    acknowledge: () => acknowledgement,
    position: (signal) => seePosition(client, fix.time, signal),
    command: (signal) => runCommand(client, signal),
  };
  device.start();
  device.report([fix]);
  const results: StepResult[] = [];
  try {
    for (const step of PROBE_STEPS) {
      const result = await timed(step, steps[step], settings.timeoutMs, clock);
      results.push(result);
      if (!result.ok) break;
    }
  } finally {
    device.stop();
    await agent.destroy();
  }
  return results;
}

async function timed(
  step: ProbeStep,
  run: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number,
  clock: Clock,
): Promise<StepResult> {
  const from = clock.monotonic();
  const controller = new AbortController();
  const timeout = sleep(timeoutMs, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`took longer than ${timeoutMs / 1000} s`);
  });
  const seconds = (): number => (clock.monotonic() - from) / 1000;
  try {
    await Promise.race([run(controller.signal), timeout]);
    return { step, ok: true, seconds: seconds() };
  } catch (error) {
    return { step, ok: false, seconds: seconds(), detail: (error as Error).message };
  } finally {
    timeout.catch(() => undefined);
    controller.abort();
  }
}

/** Waits until the API shows the fix of this time. */
async function seePosition(client: Client, time: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const answer = await call(client, 'GET', `/v1/devices/${client.deviceId}/state`, undefined, signal);
    if (answer.status === 200) {
      const { lastFix } = answer.body as { lastFix?: { fixTime: string } | null };
      if (lastFix && Date.parse(lastFix.fixTime) >= time) return;
    } else if (answer.status !== 404) throw new Error(`the API answered ${answer.status}`);
    await sleep(POLL_MS);
  }
}

async function runCommand(client: Client, signal: AbortSignal): Promise<void> {
  const wait = Math.min(60, Math.ceil(client.timeoutMs / 1000));
  const body = { imei: client.deviceId, gprsCommand: client.command, ttlSeconds: wait };
  const answer = await call(client, 'POST', `/v1/gprsCommands/?wait=${wait}`, body, signal);
  if (answer.status !== 200) throw new Error(`the API answered ${answer.status}`);
  const { status } = answer.body as { status?: string };
  if (status !== 'acknowledged') throw new Error(`the command is ${status}`);
}

async function call(
  { apiUrl, apiKey, agent }: Client,
  method: 'GET' | 'POST',
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  const { statusCode, body: answer } = await request(`${apiUrl}${path}`, {
    method,
    signal,
    dispatcher: agent,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: statusCode, body: await answer.json() };
}
