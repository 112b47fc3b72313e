import { layers, namedFlavor } from '@protomaps/basemaps';
import type { LayerSpecification } from 'maplibre-gl';
import { FONT, type MapTheme } from './style.ts';

/** Layers of the Protomaps schema that the archive has, without icons. Labels are drawn with the font of the browser. */
export function layersOf(
  source: string,
  names: ReadonlySet<string>,
  theme: MapTheme,
  language: string,
): LayerSpecification[] {
  const all = layers(source, namedFlavor(theme), { lang: language });
  return all.flatMap((layer): LayerSpecification[] => {
    if ('source-layer' in layer && !names.has(layer['source-layer'] ?? '')) return [];
    if (layer.type !== 'symbol') return [layer];
    const { 'icon-image': _, ...layout } = layer.layout ?? {};
    return [{ ...layer, layout: { ...layout, 'text-font': FONT } }];
  });
}
