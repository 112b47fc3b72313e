/** Places in the square of the Mercator projection: 0 to 1 from west to east and from north to south. */
export interface View {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}

/** What is drawn at one place: a vehicle, or several that are too close to each other. */
export interface Group {
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** index of a vehicle of the group */
  readonly first: number;
  /** that holds all of them */
  readonly extent: View;
}

/** From this zoom each vehicle is drawn on its own. */
const SINGLE_ZOOM = 12;
const WORLD_PX = 512;
const CELL_PX = 64;
const CLOSE_PX = 45;

export const xOf = (longitude: number): number => (longitude + 180) / 360;
export const yOf = (latitude: number): number =>
  0.5 - Math.log(Math.tan(Math.PI / 4 + (Math.max(-85, Math.min(85, latitude)) * Math.PI) / 360)) / (2 * Math.PI);
export const longitudeOf = (x: number): number => x * 360 - 180;
export const latitudeOf = (y: number): number => (360 / Math.PI) * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - 90;

class Cell {
  count = 0;
  first = 0;
  sumX = 0;
  sumY = 0;
  west = 2;
  north = 2;
  east = -1;
  south = -1;
  isTaken = false;
  readonly column: number;
  readonly row: number;

  constructor(column: number, row: number) {
    this.column = column;
    this.row = row;
  }

  add(x: number, y: number, index: number): void {
    if (this.count === 0) this.first = index;
    this.count += 1;
    this.sumX += x;
    this.sumY += y;
    this.west = Math.min(this.west, x);
    this.north = Math.min(this.north, y);
    this.east = Math.max(this.east, x);
    this.south = Math.max(this.south, y);
  }

  absorb(other: Cell): void {
    other.isTaken = true;
    this.count += other.count;
    this.sumX += other.sumX;
    this.sumY += other.sumY;
    this.west = Math.min(this.west, other.west);
    this.north = Math.min(this.north, other.north);
    this.east = Math.max(this.east, other.east);
    this.south = Math.max(this.south, other.south);
  }

  group(): Group {
    const { count, first, west, north, east, south } = this;
    return { x: this.sumX / count, y: this.sumY / count, count, first, extent: { west, north, east, south } };
  }
}

/** The view may extend beyond the edge of the world, where the world is repeated. */
const isWithin = (x: number, { west, east }: View): boolean =>
  (x >= west && x <= east) || x + 1 <= east || x - 1 >= west;

/**
 * Groups of the places in a view. The cells that they are counted in are those of the world at a whole zoom: groups
 * do not change when the map is moved. One pass over all places.
 *
 * @param places x and y of each place in turn; NaN: it has none
 */
export function groupsOf(places: Float64Array, view: View, zoom: number): Group[] {
  const level = Math.max(0, Math.floor(zoom));
  const columns = (WORLD_PX * 2 ** level) / CELL_PX;
  const isSingle = level >= SINGLE_ZOOM;
  const cells = new Map<number, Cell>();
  for (let index = 0; index * 2 < places.length; index++) {
    const [x, y] = [places[index * 2]!, places[index * 2 + 1]!];
    if (!(y >= view.north && y <= view.south && isWithin(x, view))) continue;
    const [column, row] = [Math.floor(x * columns), Math.floor(y * columns)];
    const key = isSingle ? index : row * columns + column;
    const cell = cells.get(key) ?? new Cell(column, row);
    if (cell.count === 0) cells.set(key, cell);
    cell.add(x, y, index);
  }
  if (!isSingle) joinClose(cells, columns);
  return [...cells.values()].filter(({ isTaken }) => !isTaken).map((cell) => cell.group());
}

/** A group that lies across the edge of two cells is one. */
function joinClose(cells: ReadonlyMap<number, Cell>, columns: number): void {
  const close = CLOSE_PX / CELL_PX / columns;
  const largestFirst = [...cells.values()].sort((a, b) => b.count - a.count);
  for (const cell of largestFirst) {
    if (cell.isTaken) continue;
    const [x, y] = [cell.sumX / cell.count, cell.sumY / cell.count];
    for (let n = 0; n < 9; n++) {
      const other = cells.get((cell.row + Math.floor(n / 3) - 1) * columns + cell.column + (n % 3) - 1);
      if (other === undefined || other === cell || other.isTaken) continue;
      if (Math.hypot(other.sumX / other.count - x, other.sumY / other.count - y) < close) cell.absorb(other);
    }
  }
}
