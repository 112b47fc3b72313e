import type { PlaceMap } from '../report.ts';
import { type Point, readOutlines } from './outlines.ts';

type Page = PDFKit.PDFDocument;

/** degrees of latitude that are shown at least, and the share that is added around the places */
const LEAST_SPAN = 1.5;
const AROUND = 0.15;
const RADIUS = 2.6;
const MOST_LABELS = 40;

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
  const scale = Math.min(height / Math.max(latSpan, LEAST_SPAN), width / Math.max(lonSpan * narrow, LEAST_SPAN));
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
  const hasLabels = points.filter(({ label }) => label !== '').length <= MOST_LABELS;
  for (const { kind, longitude, latitude, label } of points) {
    const [x, y] = view.at([longitude, latitude]);
    page.circle(x, y, label === '' ? RADIUS / 2 : RADIUS).fill(kinds[kind]!.color);
    if (!hasLabels || label === '') continue;
    page.font('plain').fontSize(4.5).fillColor('black');
    page.text(label, x + RADIUS + 1, y - 3, { lineBreak: false });
  }
  page.restore();
  page.lineWidth(0.3).strokeColor('#999999').rect(left, top, width, height).stroke();
}

function drawLine(page: Page, points: readonly (readonly [x: number, y: number])[]): void {
  const [first, ...rest] = points;
  if (first === undefined || rest.length === 0) return;
  page.moveTo(...first);
  for (const point of rest) page.lineTo(...point);
  page.stroke();
}
