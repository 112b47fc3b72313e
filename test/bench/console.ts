import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { systemClock } from '../../src/platform/clock.ts';
import { positionOf } from '../support/positions.ts';
import { type System, startSystem } from '../support/system.ts';
import type { Figure } from './figure.ts';

const PASSWORD = 'words of a benchmark';
const VEHICLES = 10_000;
const RATE = 1_000;
const BATCH = 100;
/** CONSOLE_SECONDS=10: a short run */
const SECONDS = Number(process.env['CONSOLE_SECONDS'] ?? 30);
const IMPORTED = 1_000;

/** keeps the length of the longest task of more than 50 ms from now on */
const WATCH_TASKS = `
  globalThis.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
  }).observe({ type: 'longtask' });`;

/**
 * The console in Chromium, of a server on the same machine: what its first load transfers and how soon a field can be
 * used; then 10,000 vehicles on the map, 1,000 positions a second, and how busy the main thread is.
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
    const load = await firstLoad(page, system);
    await fill(system);
    return [...load, ...(await underLoad(page, system))];
  } finally {
    await browser?.close();
    await system.stop();
  }
}

/** Without a cache, and without what the map alone needs. */
async function firstLoad(page: Page, system: System): Promise<Figure[]> {
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
    return positionOf(imeiOf(n), round, { latitude, longitude });
  });
  await call(system, '/v1/positions', 'application/json', JSON.stringify({ positions }));
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

async function underLoad(page: Page, system: System): Promise<Figure[]> {
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
  await page.getByText(`${VEHICLES} of ${VEHICLES} vehicles`).waitFor({ timeout: 120_000 });
  await page.waitForSelector('.map[data-ready=true]');
  await session.send('Performance.enable');
  await page.evaluate(WATCH_TASKS);
  const before = await taskSeconds(session);
  const streamedBefore = streamed;
  const started = systemClock.monotonic();
  const waiting: Promise<void>[] = [];
  for (let batch = 0; batch < (RATE / BATCH) * SECONDS; batch++) {
    await wait(Math.max(0, started + (batch * 1_000 * BATCH) / RATE - systemClock.monotonic()));
    waiting.push(push(system, (batch * BATCH) % VEHICLES, 1 + Math.floor((batch * BATCH) / VEHICLES)));
  }
  await Promise.all(waiting);
  const seconds = (systemClock.monotonic() - started) / 1_000;
  const busy = (100 * ((await taskSeconds(session)) - before)) / seconds;
  const longestMs = Number(await page.evaluate('longestTaskMs'));
  return [
    {
      name: `console: positions a second, ${VEHICLES} vehicles`,
      value: `${Math.round((RATE * SECONDS) / seconds)} for ${seconds.toFixed(1)} s`,
    },
    {
      // that the positions have reached the page
      name: 'console: received from the event stream',
      value: `${Math.round((streamed - streamedBefore) / (RATE * SECONDS))} bytes for each position`,
    },
    {
      name: 'console: main thread busy',
      value: `${busy.toFixed(1)} %`,
      measurements: [{ key: 'busy', value: busy, unit: '%', wanted: { atMost: 20 } }],
    },
    {
      name: 'console: longest task',
      value: `${Math.round(longestMs)} ms`,
      measurements: [{ key: 'longestTask', value: longestMs, unit: 'ms', wanted: { atMost: 100 } }],
    },
  ];
}
