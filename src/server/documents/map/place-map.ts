import type { PlaceMap } from '../report.ts';
import { type Point, readOutlines } from './outlines.ts';

type Page = PDFKit.PDFDocument;

/** minimum height of the map in degrees of latitude, and the margin around the places as a share */
const MIN_SPAN_DEG = 1.5;
const AROUND = 0.15;
const RADIUS = 2.6;
const LABEL_SIZE = 4.5;
const LABEL_HEIGHT = 5.5;
/** lines beside a place, the nearest first */
const LINES = [0, 1, -1, 2, -2, 3, -3];

export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface View {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
  at(point: Point): readonly [x: number, y: number];
}

/** Degrees of longitude are narrowed as they are in the middle of the map. */
function viewOf(points: readonly Point[], { left, top, width, height }: Frame): View {
  const range = (values: readonly number[]): readonly [middle: number, span: number] => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    return [(least + most) / 2, (most - least) * (1 + 2 * AROUND)];
  };
  const [longitude, lonSpan] = range(points.map(([lon]) => lon));
  const [latitude, latSpan] = range(points.map(([, lat]) => lat));
  const narrow = Math.cos((latitude * Math.PI) / 180);
  // points of the page in a degree of latitude
  const scale = Math.min(height / Math.max(latSpan, MIN_SPAN_DEG), width / Math.max(lonSpan * narrow, MIN_SPAN_DEG));
  const [halfLon, halfLat] = [width / 2 / scale / narrow, height / 2 / scale];
  return {
    west: longitude - halfLon,
    east: longitude + halfLon,
    south: latitude - halfLat,
    north: latitude + halfLat,
    at: ([lon, lat]) => [
      left + width / 2 + (lon - longitude) * narrow * scale,
      top + height / 2 - (lat - latitude) * scale,
    ],
  };
}

/** Coasts, borders, the way between the places, and the places themselves. */
export function drawPlaceMap(page: Page, { points, kinds }: PlaceMap, frame: Frame): void {
  const { left, top, width, height } = frame;
  const places = points.map(({ longitude, latitude }): Point => [longitude, latitude]);
  const view = viewOf(places, frame);
  page.save().rect(left, top, width, height).clip();
  page.rect(left, top, width, height).fill('#f7f7f5');
  page.lineWidth(0.4).strokeColor('#999999');
  for (const { points: line, west, east, south, north } of readOutlines()) {
    if (east < view.west || west > view.east || north < view.south || south > view.north) continue;
    drawLine(page, line.map(view.at));
  }
  page.lineWidth(0.6).strokeColor('#8fa3bd').dash(2, {});
  drawLine(page, places.map(view.at));
  page.undash();
  page.font('plain').fontSize(LABEL_SIZE);
  const spots = points.map(({ kind, longitude, latitude, label }) => {
    const [x, y] = view.at([longitude, latitude]);
    page.circle(x, y, label === '' ? RADIUS / 2 : RADIUS).fill(kinds[kind]!.color);
    return { x, y, label, width: page.widthOfString(label) };
  });
  for (const { label, x, y } of placeLabels(spots, frame)) {
    page.fillColor('black').text(label, x, y, { lineBreak: false });
  }
  page.restore();
  page.lineWidth(0.3).strokeColor('#999999').rect(left, top, width, height).stroke();
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly width: number;
}

/**
 * Where labels stand beside their places so that none covers another; those without room are left out, and are in the
 * tables. Of several at one place each has its own line.
 */
export function placeLabels(
  spots: readonly Spot[],
  { left, top, width: mapWidth, height: mapHeight }: Frame,
): { readonly label: string; readonly x: number; readonly y: number }[] {
  const placed: { readonly label: string; readonly x: number; readonly y: number; readonly width: number }[] = [];
  const beside = RADIUS + 1;
  for (const { x, y, label, width } of spots) {
    if (label === '') continue;
    const free = LINES.flatMap((line) => [
      { x: x + beside, y: y - LABEL_SIZE / 2 + line * LABEL_HEIGHT },
      { x: x - beside - width, y: y - LABEL_SIZE / 2 + line * LABEL_HEIGHT },
    ]).find(
      (at) =>
        at.x >= left &&
        at.x + width <= left + mapWidth &&
        at.y >= top &&
        at.y + LABEL_HEIGHT <= top + mapHeight &&
        placed.every(
          (other) =>
            at.x + width < other.x || other.x + other.width < at.x || Math.abs(at.y - other.y) >= LABEL_HEIGHT - 0.01,
        ),
    );
    if (free !== undefined) placed.push({ label, width, ...free });
  }
  return placed;
}

function drawLine(page: Page, points: readonly (readonly [x: number, y: number])[]): void {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return;
  page.moveTo(...first);
  for (const point of rest) page.lineTo(...point);
  page.stroke();
}
