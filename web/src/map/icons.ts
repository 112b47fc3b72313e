import type { Map as MapLibre } from 'maplibre-gl';
import type { Status } from '../api.ts';

const SIZE = 40;
type Point = readonly [number, number];

const SHAPES: Readonly<Record<string, readonly Point[]>> = {
  arrow: [
    [20, 4],
    [33, 34],
    [20, 27],
    [7, 34],
  ],
  square: [
    [9, 9],
    [31, 9],
    [31, 31],
    [9, 31],
  ],
  diamond: [
    [20, 5],
    [35, 20],
    [20, 35],
    [5, 20],
  ],
};

function draw(paint: (context: CanvasRenderingContext2D) => void): ImageData {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d')!;
  paint(context);
  return context.getImageData(0, 0, SIZE, SIZE);
}

/** One shape for each status, so that color is not the only difference. */
const SHAPE_OF = { moving: 'arrow', idle: 'diamond', parked: 'square', offline: 'circle', unknown: 'circle' } as const;

/** the sprite of a base map has icons too */
const named = (shape: string): string => `vehicle-${shape}`;

export const iconOf = (status: Status): string => named(SHAPE_OF[status]);

export function addIcons(map: MapLibre): void {
  const options = { sdf: true, pixelRatio: 2 };
  for (const [name, points] of Object.entries(SHAPES)) {
    const image = draw((context) => {
      context.beginPath();
      for (const [x, y] of points) context.lineTo(x, y);
      context.fill();
    });
    if (!map.hasImage(named(name))) map.addImage(named(name), image, options);
  }
  const ring = draw((context) => {
    context.lineWidth = 6;
    context.arc(20, 20, 11, 0, 2 * Math.PI);
    context.stroke();
  });
  if (!map.hasImage(named('circle'))) map.addImage(named('circle'), ring, options);
}
