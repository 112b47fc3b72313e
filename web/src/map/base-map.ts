import type { LayerSpecification, SourceSpecification, StyleSpecification } from 'maplibre-gl';
import type { Me } from '../api.ts';
import type { MapTheme } from './style.ts';

export type Tiles = NonNullable<Me['map']>;

/** What lies under the vehicles, above the countries. */
export interface BaseMap {
  readonly sources: Readonly<Record<string, SourceSpecification>>;
  readonly layers: readonly LayerSpecification[];
  readonly glyphs?: string | undefined;
  readonly sprite?: StyleSpecification['sprite'];
  /** for labels of vehicles: a server of glyphs knows fonts of its own style only */
  readonly font?: string[] | undefined;
}

const SOURCE = 'base';
/** first byte of the tile type in the header of an archive: vector tiles */
const MVT = 1;
/** layer that vector tiles of the Protomaps schema have */
const EARTH = 'earth';

/** Tiles are darkened for the dark theme. */
const rasterOf = (theme: MapTheme, source: SourceSpecification): BaseMap => ({
  sources: { [SOURCE]: source },
  layers: [
    {
      id: 'base',
      type: 'raster',
      source: SOURCE,
      paint: theme === 'dark' ? { 'raster-brightness-max': 0.6, 'raster-saturation': -0.4 } : {},
    },
  ],
});

/** Throws if the archive or the style cannot be read. */
export async function loadBaseMap({ type, tiles }: Tiles, theme: MapTheme, language: string): Promise<BaseMap> {
  if (type === 'raster') return rasterOf(theme, { type: 'raster', tiles: [tiles], tileSize: 256 });
  return type === 'pmtiles' ? loadArchive(tiles, theme, language) : loadStyle(tiles);
}

async function loadArchive(tiles: string, theme: MapTheme, language: string): Promise<BaseMap> {
  const { addArchive } = await import('./archives.ts');
  const archive = addArchive(tiles);
  const { tileType } = await archive.getHeader();
  const url = `pmtiles://${tiles}`;
  if (tileType !== MVT) return rasterOf(theme, { type: 'raster', url, tileSize: 256 });
  const { vector_layers: known } = (await archive.getMetadata()) as { vector_layers?: { id: string }[] };
  const names = new Set(known?.map(({ id }) => id));
  if (!names.has(EARTH)) throw new Error(`${tiles} has no tiles of the Protomaps schema`);
  const { layersOf } = await import('./protomaps.ts');
  return { sources: { [SOURCE]: { type: 'vector', url } }, layers: layersOf(SOURCE, names, theme, language) };
}

/** Names of the style get a prefix: the map has sources and layers of its own. */
const renamed = (name: string): string => `${SOURCE}:${name}`;

async function loadStyle(url: string): Promise<BaseMap> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  const style: StyleSpecification = await response.json();
  const sources = Object.entries(style.sources);
  if (sources.some(([, source]) => 'url' in source && source.url?.startsWith('pmtiles://') === true))
    (await import('./archives.ts')).addArchives();
  const layers = style.layers.map(
    (layer): LayerSpecification =>
      ({
        ...layer,
        id: renamed(layer.id),
        ...('source' in layer && { source: renamed(layer.source) }),
      }) as LayerSpecification,
  );
  return {
    sources: Object.fromEntries(sources.map(([name, source]) => [renamed(name), source])),
    layers,
    glyphs: style.glyphs,
    sprite: style.sprite,
    font: style.glyphs === undefined ? undefined : fontOf(layers),
  };
}

/** The first font stack of a label. */
function fontOf(layers: readonly LayerSpecification[]): string[] | undefined {
  for (const layer of layers) {
    const font = layer.type === 'symbol' ? layer.layout?.['text-font'] : undefined;
    // an expression begins with its name and has members of other types
    if (Array.isArray(font) && font.every((each) => typeof each === 'string')) return font as string[];
  }
  return undefined;
}
