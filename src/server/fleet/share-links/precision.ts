/** cell sizes, m; positions are moved to the center of their cell; 0: exact */
export const PRECISIONS = [0, 100, 1_000, 5_000, 10_000] as const;

const METERS_PER_DEGREE = 111_320;
const RADIANS = Math.PI / 180;

/** The center of the cell of a fixed grid: repeated positions of one place do not reveal it more exactly. */
export function coarse(latitude: number, longitude: number, precisionM: number): readonly [number, number] {
  if (precisionM === 0) return [latitude, longitude];
  const height = precisionM / METERS_PER_DEGREE;
  const middle = Math.max(-89.9, Math.min(89.9, (Math.floor(latitude / height) + 0.5) * height));
  const width = height / Math.cos(middle * RADIANS);
  const across = (Math.floor(longitude / width) + 0.5) * width;
  return [round(middle), round(((across + 540) % 360) - 180)];
}

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
