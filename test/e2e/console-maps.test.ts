import { namedFlavor } from '@protomaps/basemaps';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { loadCatalogue } from '../../src/codec/catalogue/index.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { metresOutside } from '../../src/server/alerts/rules/area.ts';
import { SimulatedDevice, simulatedImei } from '../../src/simulation/index.ts';
import { ConsoleBrowser, call, PASSWORD } from '../support/console.ts';
import { needs } from '../support/programs.ts';
import { type System, startSystem } from '../support/system.ts';
import { archiveOf, filledTile, serveTiles, type TileServer } from '../support/tiles.ts';

const program = needs('chromium');
const GREEN = '#00b400';
/** one pixel */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const vectorArchive = (attribution: string): Uint8Array =>
  archiveOf(filledTile('earth'), 1, { attribution, vector_layers: [{ id: 'earth', fields: {} }] });

/** latitude, longitude, speed, ignition */
const FLEET = [
  [45.47, 9.19, 62, true],
  [45.44, 10.99, 84, true],
  [44.41, 8.93, 0, true],
  [45.07, 7.69, 0, false],
  [45.65, 13.78, 0, false],
  [44.49, 11.34, 71, true],
  [44.5, 11.36, 0, false],
  [44.48, 11.32, 12, true],
  [43.77, 11.25, 55, true],
  [45.41, 11.88, 0, true],
  [46.07, 11.12, 48, true],
  [44.06, 12.57, 90, true],
] as const;

const areaOf = async (system: System, name: string) => {
  const { items } = await call<{ items: { name: string; area: Parameters<typeof metresOutside>[0] }[] }>(
    system,
    'GET',
    '/v1/geofences',
  );
  return items.find((each) => each.name === name)!.area;
};

describe.skipIf(program === undefined)('maps of the console, in a browser', { timeout: 180_000 }, () => {
  let ended: (() => unknown)[] = [];
  const opened = async (settings: Record<string, string>, origins: readonly string[] = []) => {
    const system = await startSystem({ ADMIN_PASSWORD: PASSWORD, ...settings });
    ended.unshift(() => system.stop());
    const browser = await ConsoleBrowser.open(program!, system, origins);
    ended.unshift(() => browser.close());
    await browser.setting('Theme', 'light');
    // the map is drawn without a graphics processor
    if (process.env['CONSOLE_PICTURES'] === undefined) await browser.page.setViewportSize({ width: 900, height: 600 });
    await browser.page.waitForSelector('.map[data-ready=true]');
    return { system, browser };
  };
  const served = async (files: Parameters<typeof serveTiles>[0]): Promise<TileServer> => {
    const server = await serveTiles(files);
    ended.push(() => server.close());
    return server;
  };

  /** Color of the picture of the page in the middle of the map. */
  const colorOf = async ({ page }: ConsoleBrowser): Promise<string> => {
    const box = (await page.locator('.map').boundingBox())!;
    const clip = { x: box.x + box.width / 2, y: box.y + box.height / 2, width: 1, height: 1 };
    const picture = (await page.screenshot({ clip })).toString('base64');
    return page.evaluate(`(async () => {
      const blob = new Blob([Uint8Array.from(atob('${picture}'), (c) => c.charCodeAt(0))], { type: 'image/png' });
      const context = document.createElement('canvas').getContext('2d');
      context.drawImage(await createImageBitmap(blob), 0, 0);
      const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
      return '#' + [r, g, b].map((each) => each.toString(16).padStart(2, '0')).join('');
    })()`);
  };

  beforeAll(() => {
    ended = [];
  });
  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
  });

  it('are drawn from a PMTiles archive of the Protomaps schema, of which ranges are requested', async () => {
    const server = await served(() => ({ '/world.pmtiles': vectorArchive('© Example <b>mappers</b>') }));
    const { browser } = await opened({ MAP_TILES: `${server.origin}/world.pmtiles` }, [server.origin]);
    await expect.poll(() => colorOf(browser), { timeout: 30_000 }).toBe(namedFlavor('light').earth);
    expect(new Set(server.asked)).toEqual(new Set(['/world.pmtiles']));
    await browser.page.getByText('© Example').waitFor();
    await browser.setting('Theme', 'dark');
    await expect.poll(() => colorOf(browser), { timeout: 30_000 }).toBe(namedFlavor('dark').earth);
    expect(browser.complaints).toEqual([]);
  });

  it('are drawn from a style whose tiles come from further servers, in vector and raster tiles', async () => {
    const tiles = await served(() => ({ '/vector/*': filledTile('ground'), '/raster.pmtiles': archiveOf(PNG, 2, {}) }));
    const style = await served(() => ({
      '/style.json': {
        version: 8,
        // names that the map has for sources and layers of its own
        sources: {
          vehicles: { type: 'vector', tiles: [`${tiles.origin}/vector/{z}/{x}/{y}`], maxzoom: 0 },
          track: { type: 'raster', url: `pmtiles://${tiles.origin}/raster.pmtiles`, tileSize: 256 },
        },
        layers: [
          { id: 'land', type: 'raster', source: 'track' },
          {
            id: 'vehicles',
            type: 'fill',
            source: 'vehicles',
            'source-layer': 'ground',
            paint: { 'fill-color': GREEN, 'fill-antialias': false },
          },
        ],
      },
    }));
    const settings = { MAP_TILES: `${style.origin}/style.json`, MAP_ORIGINS: tiles.origin };
    const { browser } = await opened(settings, [style.origin, tiles.origin]);
    await expect.poll(() => colorOf(browser), { timeout: 30_000 }).toBe(GREEN);
    await expect.poll(() => tiles.asked).toContain('/raster.pmtiles');
    expect(browser.complaints).toEqual([]);
  });

  it('say that the base map is unavailable, and show vehicles without it', async () => {
    const server = await served(() => ({}));
    const { browser } = await opened({ MAP_TILES: `${server.origin}/style` }, [server.origin]);
    await browser.page.getByText(`The base map is unavailable: ${server.origin}/style: HTTP 404`).waitFor();
    await browser.setting('Language', 'it');
    await browser.page.getByText('Mappa di base non disponibile').waitFor();
    expect(await browser.seriousFindings()).toEqual([]);
  });

  it('show vehicles in their states, and as one where they are close to each other', async () => {
    const { system, browser } = await opened({});
    const { page } = browser;
    const { simulator } = (await loadCatalogue()).byId('teltonika')!;
    const to = { transport: 'tcp', host: '127.0.0.1', port: system.devicePort } as const;
    for (const [n, [latitude, longitude, speed, ignition]] of FLEET.entries()) {
      const [id, targa] = [simulatedImei(880 + n), `LM${100 + n}AP`];
      await call(system, 'POST', '/v1/devices', { imei: id });
      await call(system, 'POST', '/v1/vehicles', { targa });
      await call(system, 'POST', '/v1/pairings', { targa, imei: id, from: Date.now() - 3_600_000 });
      const device = new SimulatedDevice({ ...to, id, simulator, answer: 'ack', slowAnswerMs: 0 }, {}, systemClock);
      ended.unshift(() => device.stop());
      device.start();
      const time = Math.floor(Date.now() / 1_000) * 1_000;
      device.report([{ time, latitude, longitude, speed, course: (n * 47) % 360, ignition }]);
    }
    await browser.visit('map?status=idle');
    await page.getByText(`2 of ${FLEET.length} vehicles`).waitFor();
    await browser.visit('map');
    await page.waitForSelector('.map[data-ready=true]');
    await page.getByText(`${FLEET.length} of ${FLEET.length} vehicles`).waitFor();
    await page.getByRole('button', { name: 'LM100AP' }).getByText('Moving').waitFor();
    await page.getByRole('button', { name: 'LM103AP' }).getByText('Parked').waitFor();
    await browser.picture('live-map');
    expect(browser.complaints).toEqual([]);
  });

  it('draw a corridor along a road, which becomes the area of a geofence', async () => {
    const { system, browser } = await opened({});
    const { page } = browser;
    await browser.visit('rules/new');
    await page.locator('select[name=type]').selectOption('geofence_exit');
    await page.getByRole('button', { name: 'Draw corridor' }).click();
    await page.waitForSelector('.draw-map[data-ready=true]');
    const map = (await page.locator('.draw-map').boundingBox())!;
    for (const n of [1, 2, 3]) {
      await page.mouse.click(map.x + n * 0.25 * map.width, map.y + (n === 2 ? 0.6 : 0.4) * map.height);
      // a second click at once zooms the map
      await page.getByRole('button', { name: `Remove corner ${n}` }).waitFor();
    }
    const road = [
      [45, 9],
      [45, 9.1],
      [45.1, 9.1],
    ] as const;
    for (const [n, [latitude, longitude]] of road.entries()) {
      await page.getByLabel(`Corner ${n + 1}: Latitude`).fill(String(latitude));
      await page.getByLabel(`Corner ${n + 1}: Longitude`).fill(String(longitude));
    }
    const width = page.getByLabel('Width (m)');
    const name = page.getByLabel('Name of the geofence');
    await width.fill('500');
    // back beside the first part, nearer than the corridor is wide
    const third = page.getByLabel('Corner 3: Latitude');
    await third.fill('45.001');
    await page.getByLabel('Corner 3: Longitude').fill('9.02');
    await page.getByText('The corridor would cross itself.').waitFor();
    await expect.poll(() => name.count()).toBe(0);
    expect(await browser.seriousFindings()).toEqual([]);
    await third.fill('45.1');
    await page.getByLabel('Corner 3: Longitude').fill('9.1');
    await name.fill('Road');
    await browser.picture('rule-corridor');
    await page.getByRole('button', { name: 'Save as geofence' }).click();
    await expect.poll(() => page.getByRole('checkbox', { name: 'Road' }).isChecked()).toBe(true);
    const area = await areaOf(system, 'Road');
    expect(metresOutside(area, 45, 9.05)).toBeCloseTo(-250, -1);
    expect(metresOutside(area, 45.05, 9.1)).toBeCloseTo(-250, -1);
    // 1 km beside the road
    expect(metresOutside(area, 45.009, 9.05)).toBeCloseTo(750, -1);
    expect(browser.complaints).toEqual([]);
  });
});
