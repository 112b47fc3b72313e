import { type Attributes, type Cell, type Network, setDeviceNamed } from '#codec';

const PARAM = /^(.{1,64}):[123]:(.*)$/su;
const NUMBER = /^[+-]?(?:\d{1,18}(?:\.\d{0,18})?|\.\d{1,18})(?:[eE][+-]?\d{1,3})?$/;

/** Keys do not begin with a digit; such a name gets an underscore before it. */
const DIGIT_FIRST = /^\p{N}/u;

function readValue(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (NUMBER.test(trimmed)) return Number(trimmed);
  const lower = trimmed.toLowerCase();
  return lower === 'true' || lower === 'false' ? lower === 'true' : text;
}

/** `name:type:value`, by the last type in it; names in lower case. What is no parameter is passed over. */
export function readParams(text: string, attributes: Attributes): void {
  for (const entry of text.split(',')) {
    const m = PARAM.exec(entry);
    if (m === null || m[2] === '') continue;
    const value = readValue(m[2]!);
    if (typeof value === 'number' && !Number.isFinite(value)) continue;
    const name = m[1]!.toLowerCase();
    setDeviceNamed(attributes, DIGIT_FIRST.test(name) ? `_${name}` : name, value);
  }
}

/** Removes and returns a number; undefined if it is absent. */
export function takeNumber(attributes: Attributes, key: string): number | undefined {
  const value = attributes[key];
  if (typeof value !== 'number') return undefined;
  delete attributes[key];
  return value;
}

/** Parts of a cell without a number, and of those from 1 to 9. */
const CELLS = ['', '1', '2', '3', '4', '5', '6', '7', '8', '9'].map((number) => ({
  mcc: `mcc${number}`,
  mnc: `mnc${number}`,
  lac: `lac${number}`,
  cid: `cell_id${number}`,
}));
const isWhole = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** Cells without a number, or numbered from 1 without a gap. The id stays a parameter, too. */
export function takeNetwork(attributes: Attributes): Network | undefined {
  const cells: Cell[] = [];
  for (const keys of CELLS) {
    const mcc = attributes[keys.mcc];
    const mnc = attributes[keys.mnc];
    const lac = attributes[keys.lac];
    const cid = attributes[keys.cid];
    if (!isWhole(mcc) || !isWhole(mnc) || !isWhole(lac) || !isWhole(cid)) {
      if (keys === CELLS[0]) continue;
      break;
    }
    cells.push({ mcc, mnc, lac, cid });
    for (const key of [keys.mcc, keys.mnc, keys.lac]) delete attributes[key];
  }
  return cells.length > 0 ? { cells } : undefined;
}
