import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { systemClock } from '../../src/platform/clock.ts';
import { positionOf } from '../support/positions.ts';
import { type System, startSystem } from '../support/system.ts';
import { RECENT } from './api-process.ts';
import type { Figure } from './figure.ts';
import { bytesInUse, recordTasks } from './main-thread.ts';

const PASSWORD = 'words of a benchmark';
const VEHICLES = 10_000;
const RATE = 1_000;
const BATCH = 100;
/** requests under way: a server that is slower than RATE is not given more, and the report has the rate */
const MOST_PUSHING = 20;
/** CONSOLE_SECONDS=10: a short run */
const SECONDS = Number(process.env['CONSOLE_SECONDS'] ?? 30);
const IMPORTED = 1_000;

/** CONSOLE_MINUTES=30: the memory of the page is measured too, with the same load for so long */
const MINUTES = Number(process.env['CONSOLE_MINUTES'] ?? 0);
/** before the first measurement of memory: each vehicle has moved several times */
const WARM_UP_SECONDS = 60;
/** of the memory, until the end */
const GROWTH_PERCENT = 10;

/**
 * The console in Chromium, of a server on the same machine: what its first load transfers and how soon a field can be
 * used; then 10,000 vehicles on the map, 1,000 positions a second, and how busy the main thread is. Its processor time
 * is compared with what is wanted: elapsed time includes that of other programs on the machine.
 */
export async function run(): Promise<readonly Figure[]> {
  const program = await findChromium();
  const system = await startSystem({ ADMIN_PASSWORD: PASSWORD });
  let browser: Browser | undefined;
  try {
    const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
    browser = await chromium.launch({ executablePath: program, args });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    await page.goto(`http://127.0.0.1:${system.apiPort}/console`);
    await page.fill('#password', PASSWORD);
    await page.click('button[type=submit]');
    await page.waitForURL(/\/console\/map/);
    const first = await firstLoad(page, system);
    await fill(system);
    const open = await openMap(page, system);
    const tasks = await underLoad(browser, open);
    return [...first, ...tasks, ...(MINUTES > 0 ? await memory(open) : [])];
  } finally {
    await browser?.close();
    await system.stop();
  }
}

/** Without a cache, and without what the map alone needs. */
async function firstLoad(page: Page, system: System): Promise<Figure[]> {
  // the map that is open after the login may still be loading
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const urls = new Map<string, string>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (/\/console\/(?:assets\/.+\.(?:js|css)|commands)$/.test(urls.get(requestId) ?? '')) bytes += encodedDataLength;
  });
  await page.goto(`http://127.0.0.1:${system.apiPort}/console/commands`);
  await page.locator('form.send input').first().waitFor();
  const usableMs = Number(await page.evaluate('performance.now()'));
  await page.locator('main[data-busy=false]').waitFor();
  await session.send('Network.setCacheDisabled', { cacheDisabled: false });
  await session.detach();
  const kB = bytes / 1_000;
  return [
    {
      name: 'console: first load without the map, compressed',
      value: `${kB.toFixed(1)} kB`,
      measurements: [{ key: 'firstLoad', value: kB, unit: 'kB', wanted: { atMost: 200 } }],
    },
    {
      name: 'console: a form can be used after',
      value: `${Math.round(usableMs)} ms`,
      measurements: [{ key: 'usable', value: usableMs, unit: 'ms', wanted: { atMost: 1_500 } }],
    },
  ];
}

/** What finds it is a script, which the build does not contain. */
async function findChromium(): Promise<string> {
  const script = new URL('../../../scripts/programs.mjs', import.meta.url);
  const { findProgram } = (await import(script.href)) as { findProgram(name: string): string | undefined };
  const found = findProgram('chromium');
  if (found === undefined) throw new Error('the benchmark needs Chromium');
  return found;
}

const imeiOf = (n: number): string => String(350_000_000_000_000 + n);

async function call(system: System, path: string, type: string, body: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${system.apiPort}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${system.key}`, 'content-type': type },
    body,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Vehicles with a device each, by the imports, spread over northern Italy. */
async function fill(system: System): Promise<void> {
  for (let from = 0; from < VEHICLES; from += IMPORTED) {
    const some = Array.from({ length: IMPORTED }, (_, n) => from + n);
    const csv = (path: string, head: string, line: (n: number) => string) =>
      call(system, path, 'text/csv', `${head}\r\n${some.map(line).join('\r\n')}\r\n`);
    await csv('/v1/devices/import', 'imei', imeiOf);
    await csv('/v1/vehicles/import', 'targa', (n) => `BN${n}`);
    await csv('/v1/pairings/import', 'targa,imei,from', (n) => `BN${n},${imeiOf(n)},2026-01-01T00:00:00Z`);
    for (let at = from; at < from + IMPORTED; at += BATCH) await push(system, at, 0);
  }
}

async function push(system: System, first: number, round: number): Promise<void> {
  const positions = Array.from({ length: BATCH }, (_, index) => {
    const n = (first + index) % VEHICLES;
    const latitude = 44.5 + (n % 100) * 0.012 + round * 0.0005;
    const longitude = 8 + Math.floor(n / 100) * 0.03;
    return positionOf(imeiOf(n), round, { latitude, longitude }, RECENT);
  });
  await call(system, '/v1/positions', 'application/json', JSON.stringify({ positions }));
}

interface OpenMap {
  readonly system: System;
  readonly session: CDPSession;
  /** bytes of the event stream that the page has received */
  readonly streamed: () => number;
  /** positions that were pushed */
  pushed: number;
}

async function openMap(page: Page, system: System): Promise<OpenMap> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const streams = new Set<string>();
  let streamed = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/v1/events')) streams.add(requestId);
  });
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (streams.has(requestId)) streamed += dataLength;
  });
  await page.goto(`http://127.0.0.1:${system.apiPort}/console/map`);
  const all = VEHICLES.toLocaleString('en-GB');
  await page.getByText(`${all} of ${all} vehicles`).waitFor({ timeout: 120_000 });
  await page.waitForSelector('.map[data-ready=true]', { timeout: 120_000 });
  return { system, session, streamed: () => streamed, pushed: VEHICLES };
}

/** Moves vehicles at RATE for some seconds. Returns how many it has taken until all positions were accepted. */
async function load(open: OpenMap, forSeconds: number): Promise<number> {
  const started = systemClock.monotonic();
  const waiting = new Set<Promise<void>>();
  for (let batch = 0; batch < (RATE / BATCH) * forSeconds; batch++) {
    await wait(Math.max(0, started + (batch * 1_000 * BATCH) / RATE - systemClock.monotonic()));
    if (waiting.size >= MOST_PUSHING) await Promise.race(waiting);
    const pushing = push(open.system, open.pushed % VEHICLES, Math.floor(open.pushed / VEHICLES));
    waiting.add(pushing);
    void pushing.finally(() => waiting.delete(pushing)).catch(() => {});
    open.pushed += BATCH;
  }
  await Promise.all(waiting);
  return (systemClock.monotonic() - started) / 1_000;
}

async function underLoad(browser: Browser, open: OpenMap): Promise<Figure[]> {
  const recorded = await recordTasks(browser);
  const streamedBefore = open.streamed();
  const seconds = await load(open, SECONDS);
  const { cpuMs, longestCpuMs, wallMs, longestWallMs } = await recorded();
  const percent = (ms: number): number => ms / 10 / seconds;
  return [
    {
      name: `console: positions a second, ${VEHICLES} vehicles`,
      value: `${Math.round((RATE * SECONDS) / seconds)} for ${seconds.toFixed(1)} s, load average ${loadavg()[0]!.toFixed(1)}`,
    },
    {
      // that the positions have reached the page
      name: 'console: received from the event stream',
      value: `${Math.round((open.streamed() - streamedBefore) / (RATE * SECONDS))} bytes for each position`,
    },
    {
      name: 'console: main thread busy',
      value: `${percent(cpuMs).toFixed(1)} % (${percent(wallMs).toFixed(1)} % elapsed)`,
      measurements: [
        { key: 'busy', value: percent(cpuMs), unit: '%', wanted: { atMost: 20 } },
        { key: 'busyElapsed', value: percent(wallMs), unit: '%' },
      ],
    },
    {
      name: 'console: longest task',
      value: `${Math.round(longestCpuMs)} ms (${Math.round(longestWallMs)} ms elapsed)`,
      measurements: [
        { key: 'longestTask', value: longestCpuMs, unit: 'ms', wanted: { atMost: 100 } },
        { key: 'longestTaskElapsed', value: longestWallMs, unit: 'ms' },
      ],
    },
  ];
}

async function memory(open: OpenMap): Promise<Figure[]> {
  await load(open, WARM_UP_SECONDS);
  const early = (await bytesInUse(open.session)) / 1_000_000;
  await load(open, MINUTES * 60);
  const late = (await bytesInUse(open.session)) / 1_000_000;
  const growth = 100 * (late / early - 1);
  return [
    {
      name: `console: memory in use, after ${MINUTES} more minutes`,
      value: `${early.toFixed(1)} MB, ${late.toFixed(1)} MB`,
      measurements: [
        { key: 'memoryEarly', value: early, unit: 'MB' },
        { key: 'memoryLate', value: late, unit: 'MB' },
        { key: 'memoryGrowth', value: growth, unit: '%', wanted: { atMost: GROWTH_PERCENT } },
      ],
    },
  ];
}
