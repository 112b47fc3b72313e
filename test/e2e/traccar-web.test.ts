import { once } from 'node:events';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../support/chromium.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';

/**
 * Traccar's own web application, built by `npm ci && npx vite build` in a checkout of traccar/traccar-web:
 * `TRACCAR_WEB=<checkout>/build`.
 */
const APP = process.env['TRACCAR_WEB'];
const program = APP === undefined ? undefined : needs('chromium');
const PASSWORD = 'a password of some length';
const PLATE = 'TW100AA';
const IMEI = '860000000000100';
const MINUTE_MS = 60_000;
/** in place of maps from the Internet */
const STYLE = { version: 8, sources: {}, layers: [], glyphs: 'https://fonts.invalid/{fontstack}/{range}.pbf' };
const WAIT = { timeout: 300_000 };

describe.skipIf(program === undefined)('the web application of Traccar', { timeout: 400_000 }, () => {
  let system: System;
  let site: Server;
  let browser: Browser;
  let page: Page;
  /** paths of the API that were not answered with 2xx or 3xx */
  const refused: string[] = [];
  const send = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bearer ${system.key}`, 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${system.apiPort}${path}`;
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    expect(response.status, await response.clone().text()).toBe(200);
  };
  const report = (agoMs: number, latitude: number, speed: number) =>
    send('POST', '/v1/positions', {
      positions: [
        {
          imei: IMEI,
          fixTime: new Date(Date.now() - agoMs).toISOString(),
          valid: true,
          latitude,
          longitude: 9.19,
          speed,
          attributes: { ignition: speed > 0 },
        },
      ],
    });
  const shoot = async (name: string): Promise<void> => {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  beforeAll(async () => {
    system = await startSystem({ ADMIN_PASSWORD: PASSWORD, COMPAT_TRACCAR: 'true' });
    await send('POST', '/v1/vehicles', { targa: PLATE });
    await send('POST', '/v1/devices', { imei: IMEI, options: { protocol: 'teltonika' } });
    const from = new Date(Date.now() - 600 * MINUTE_MS).toISOString();
    await send('POST', '/v1/pairings', { targa: PLATE, imei: IMEI, from });
    for (let n = 0; n < 30; n++) await report((60 - n) * MINUTE_MS, 45.4 + n / 100, n < 25 ? 60 : 0);
    site = serve(APP!, system.apiPort);
    await once(site, 'listening');
    browser = await launchChromium(program!);
    page = await browser.newPage({ viewport: { width: 1300, height: 850 }, locale: 'en' });
    page.setDefaultTimeout(WAIT.timeout);
    await page.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => {
        const isStyle = /style|\.json$/.test(new URL(route.request().url()).pathname);
        return isStyle ? route.fulfill({ json: STYLE }) : route.abort();
      },
    );
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isLogin = pathname === '/api/session' && response.status() === 404;
      if (pathname.startsWith('/api/') && response.status() >= 400 && !isLogin)
        refused.push(`${response.status()} ${pathname}`);
    });
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
    await system?.stop();
  });
  const open = async (path: string): Promise<void> => {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`;
    // the page before may still be changing its own address
    await page.waitForLoadState('networkidle');
    await page.goto(url).catch(() => page.waitForLoadState('networkidle').then(() => page.goto(url)));
  };

  it('logs in', async () => {
    await open('/');
    await page.fill('input[name=email]', 'admin');
    await page.fill('input[name=password]', PASSWORD);
    await page.click('button[type=submit]');
    await page.getByText(PLATE).first().waitFor();
    await shoot('1-devices');
  });

  it('shows a device live on the map', async () => {
    await page.getByText(PLATE).first().click();
    const answered = page.waitForEvent('websocket', { predicate: (socket) => socket.url().endsWith('/api/socket') });
    await page.reload();
    const socket = await answered;
    const received = socket.waitForEvent('framereceived', {
      predicate: ({ payload }) => String(payload).includes('45.9999'),
      ...WAIT,
    });
    await report(0, 45.9999, 37);
    await received;
    await page.getByText(PLATE).first().click();
    await page
      .getByText(/\b37(\.0+)? km\/h/)
      .first()
      .waitFor();
    await shoot('2-live');
  });

  const deviceId = async (): Promise<number> =>
    page.evaluate(async () => ((await (await fetch('/api/devices')).json()) as { id: number }[])[0]!.id);
  const period = () => {
    const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
    return `from=${at(Date.now() - 120 * MINUTE_MS)}&to=${at(Date.now() + MINUTE_MS)}`;
  };

  it.each([
    ['trips', /\d+(\.\d+)? km/],
    ['stops', /.+/],
    ['summary', /\d+(\.\d+)? km/],
    ['combined', /.+/],
    ['events', /.*/],
  ])('opens the report %s', async (name, content) => {
    const before = refused.length;
    const answered = page.waitForResponse((response) => response.url().includes(`/api/reports/${name}`));
    await open(`/reports/${name}?deviceId=${await deviceId()}&${period()}`);
    expect((await answered).status()).toBe(200);
    if (name !== 'events' && name !== 'combined') {
      const row = page.locator('table tbody tr', { hasText: content });
      await row.first().waitFor();
    }
    await shoot(`3-${name}`);
    expect(refused.slice(before)).toEqual([]);
  });

  it('lists positions', async () => {
    await open(`/reports/route?deviceId=${await deviceId()}&${period()}`);
    await page
      .locator('table tbody tr', { hasText: /45\.\d+/ })
      .first()
      .waitFor();
    await shoot('3-route');
  });

  it('shows the statistics of the day', async () => {
    const answered = page.waitForResponse((response) => response.url().includes('/api/statistics'));
    await open(`/reports/statistics?${period()}`);
    const response = await answered;
    expect(response.status()).toBe(200);
    const today = ((await response.json()) as { activeUsers: number; messagesStored: number }[]).at(-1)!;
    expect(today.activeUsers).toBe(1);
    const cells = page.locator('table tbody tr').last().locator('td');
    await cells
      .filter({ hasText: new RegExp(`^${today.messagesStored}$`) })
      .first()
      .waitFor();
    await shoot('3-statistics');
  });

  it('sends a command', async () => {
    await open(`/settings/device/${await deviceId()}/command`);
    await page.getByRole('combobox').first().click();
    await page.getByRole('option', { name: 'Custom command' }).click();
    await page.getByLabel('Data').fill('getinfo');
    await shoot('4-command');
    const answered = page.waitForResponse(
      (response) => response.url().includes('/api/commands/send') && response.request().method() === 'POST',
    );
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    expect((await answered).status()).toBe(202);
    const { items } = await system.get<{ items: { gprsCommand: string; status: string }[] }>('/v1/gprsCommands/');
    expect(items).toEqual([expect.objectContaining({ gprsCommand: 'getinfo', status: 'pending' })]);
  });

  it('draws a geofence', async () => {
    await open('/geofences');
    const canvas = page.locator('canvas.maplibregl-canvas');
    await canvas.waitFor();
    await page.locator('.mapbox-gl-draw_polygon').click();
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/api/geofences') && response.request().method() === 'POST',
    );
    for (const [x, y] of [
      [700, 300],
      [900, 300],
      [900, 500],
    ] as const)
      await page.mouse.click(x, y);
    await page.mouse.dblclick(700, 500);
    expect((await answered).status()).toBe(200);
    await shoot('5-geofence');
    const { items } = await system.get<{ items: { name: string }[] }>('/v1/geofences');
    expect(items).toEqual([expect.objectContaining({ name: 'Geofence' })]);
  });

  it('is refused nothing that it asks for', () => {
    expect(refused).toEqual([]);
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The files of a folder, and the API behind the same origin, as a web server in front of both would have it. */
function serve(folder: string, apiPort: number): Server {
  const target = { host: '127.0.0.1', port: apiPort };
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://local').pathname;
    if (path.startsWith('/api/')) {
      const { method, headers, url } = request;
      const passed = httpRequest({ ...target, method, headers, path: url }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
      return;
    }
    const file = join(folder, normalize(path));
    const found = existsSync(file) && statSync(file).isFile() ? file : join(folder, 'index.html');
    response.setHeader('content-type', TYPES[extname(found)] ?? 'application/octet-stream');
    createReadStream(found).pipe(response);
  });
  server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    const passed = connect(target, () => {
      const lines = [`GET ${request.url} HTTP/1.1`];
      for (let n = 0; n < request.rawHeaders.length; n += 2) {
        lines.push(`${request.rawHeaders[n]}: ${request.rawHeaders[n + 1]}`);
      }
      passed.write(`${lines.join('\r\n')}\r\n\r\n`);
      passed.write(head);
      passed.pipe(socket);
      socket.pipe(passed);
    });
    passed.on('error', () => socket.destroy());
    socket.on('error', () => passed.destroy());
  });
  return server.listen(0, '127.0.0.1');
}
