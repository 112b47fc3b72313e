import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/apps/config.ts';
import { mapTypeOf } from '../../../src/server/kernel/app/settings.ts';

describe('MAP_TILES', () => {
  it.each([
    ['https://tiles.example.org/{z}/{x}/{y}.png?key=1', 'raster'],
    ['https://files.example.org/italy.pmtiles', 'pmtiles'],
    ['https://files.example.org/italy.pmtiles?key=1', 'pmtiles'],
    ['http://tiles.example.org:8080/styles/streets', 'style'],
  ])('%s is of the type %s', (url, type) => {
    expect(mapTypeOf(loadConfig({ MAP_TILES: url }).MAP_TILES!)).toBe(type);
  });

  it.each(['https://tiles.example.org/{z}/{x}.png', 'tiles.example.org/{z}/{x}/{y}', 'file:///italy.pmtiles'])(
    '%s is refused',
    (url) => {
      expect(() => loadConfig({ MAP_TILES: url })).toThrow(/MAP_TILES/);
    },
  );
});

describe('MAP_ORIGINS', () => {
  it('are separated by commas', () => {
    const text = 'https://a.example.org, https://b.example.org:8443';
    expect(loadConfig({ MAP_ORIGINS: text }).MAP_ORIGINS).toEqual([
      'https://a.example.org',
      'https://b.example.org:8443',
    ]);
    expect(loadConfig({}).MAP_ORIGINS).toEqual([]);
  });

  it.each(['https://a.example.org/path', "https://a.example.org; script-src 'unsafe-inline'", '*'])(
    '%s is refused: it would be more than an origin in the policy',
    (text) => {
      expect(() => loadConfig({ MAP_ORIGINS: text })).toThrow(/MAP_ORIGINS/);
    },
  );
});
