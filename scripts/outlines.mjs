// Writes the coasts and borders of Europe for maps in PDF, from the countries of Natural Earth (public domain).
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const WEST = -26;
const EAST = 61;
const SOUTH = 27;
const NORTH = 73;
/** units of the file in a degree */
const UNITS = 100;

const atlas = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json');
const { arcs, transform } = JSON.parse(readFileSync(atlas, 'utf8'));
const [scale, translate] = [transform.scale, transform.translate];

const lines = arcs.flatMap((arc) => {
  let [x, y] = [0, 0];
  const places = arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
  });
  return places.some(([lon, lat]) => lon > WEST && lon < EAST && lat > SOUTH && lat < NORTH) ? [places] : [];
});

const paths = lines.map((places) => {
  const units = places.map(([lon, lat]) => [Math.round(lon * UNITS), Math.round(-lat * UNITS)]);
  const kept = units.filter(([x, y], i) => i === 0 || x !== units[i - 1][0] || y !== units[i - 1][1]);
  return `<path d="m${kept.map(([x, y], i) => (i === 0 ? `${x} ${y}` : `${x - kept[i - 1][0]} ${y - kept[i - 1][1]}`)).join(' ')}"/>`;
});
const box = [WEST * UNITS, -NORTH * UNITS, (EAST - WEST) * UNITS, (NORTH - SOUTH) * UNITS].join(' ');
writeFileSync(
  join(import.meta.dirname, '../src/server/documents/map/outlines.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" fill="none" stroke="#999" stroke-width="4">\n<title>Coasts and borders of Europe: Natural Earth</title>\n${paths.join('\n')}\n</svg>\n`,
);
