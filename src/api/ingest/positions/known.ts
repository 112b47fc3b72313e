/** Of each attribute of a device the newest value of a batch, as JSON text `{"key":[value, epoch ms]}`. */
export interface Known {
  readonly text: string;
  /** epoch ms: the oldest and the newest of the values; undefined where there are none */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

export const NOTHING_KNOWN: Known = { text: '{}', from: undefined, to: undefined };

/** Collects values from the newest record to the oldest, so that the first value of an attribute stays. */
export class KnownValues {
  readonly #keys = new Set<string>();
  #text = '';
  #from: number | undefined;
  #to: number | undefined;

  /** `attributes`: JSON text of an object; other text is left to the database to refuse. */
  add(attributes: string, time: number): void {
    const values = parse(attributes);
    for (const key in values) {
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      const separator = this.#text === '' ? '' : ',';
      this.#text += `${separator}${JSON.stringify(key)}:[${JSON.stringify(values[key])},${time}]`;
      this.#from = Math.min(time, this.#from ?? time);
      this.#to = Math.max(time, this.#to ?? time);
    }
  }

  take(): Known {
    return this.#text === '' ? NOTHING_KNOWN : { text: `{${this.#text}}`, from: this.#from, to: this.#to };
  }
}

function parse(attributes: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(attributes) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const PRIME = 0x0100_0193;

/**
 * A hash of the names in the JSON text of flat attributes, without reading their values: records of one device mostly
 * have the same names, and then only the newest of them is parsed.
 */
export function hashOfNames(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c_9dc5;
  let at = start + 1;
  while (at < end) {
    if (bytes[at] !== QUOTE) {
      at++;
      continue;
    }
    for (at++; at < end && bytes[at] !== QUOTE; at++) {
      if (bytes[at] === BACKSLASH) hash = Math.imul(hash ^ bytes[at++]!, PRIME);
      hash = Math.imul(hash ^ bytes[at]!, PRIME);
    }
    hash = Math.imul(hash ^ QUOTE, PRIME);
    at = endOfValue(bytes, at + 2, end) + 1;
  }
  return hash;
}

function endOfValue(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  if (bytes[at] === QUOTE) {
    for (at++; at < end && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  }
  while (at < end && bytes[at] !== COMMA) at++;
  return at;
}
