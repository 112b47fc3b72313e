/** An escape: its first byte, what follows it, and the byte that both stand for. */
type Escape = readonly [lead: number, second: number, meaning: number];

/** How a wire keeps some bytes for itself. */
export interface Escapes {
  /**
   * The bytes without escapes; the same array if no byte is escaped. Undefined if it contains an escape that is not in
   * the table; with `lenient` the bytes of such an escape stand for themselves.
   */
  plain(wire: Uint8Array, lenient?: boolean): Uint8Array | undefined;
  /** The bytes as they go out; the first and the last one, which mark the frame, stay. */
  wire(plain: Uint8Array): Uint8Array;
}

/** Escapes from their table. */
export function escapes(rows: readonly Escape[]): Escapes {
  const leads: boolean[] = new Array(256).fill(false);
  const meanings = new Map<number, number>();
  const escaped: (readonly [number, number] | undefined)[] = new Array(256).fill(undefined);
  for (const [lead, second, meaning] of rows) {
    leads[lead] = true;
    meanings.set(lead * 256 + second, meaning);
    escaped[meaning] = [lead, second];
  }
  const first = [...new Set(rows.map(([lead]) => lead))];
  return {
    plain: (wire, lenient = false) => {
      // By the engine's own search, since most frames hold none.
      if (!first.some((lead) => wire.includes(lead))) return wire;
      const bytes = new Uint8Array(wire.length);
      let length = 0;
      for (let at = 0; at < wire.length; at++) {
        const byte = wire[at]!;
        const meaning = leads[byte] ? meanings.get(byte * 256 + wire[at + 1]!) : undefined;
        if (meaning !== undefined) at += 1;
        else if (leads[byte] && !lenient) return undefined;
        bytes[length++] = meaning ?? byte;
      }
      return bytes.subarray(0, length);
    },
    wire: (plain) => {
      const last = plain.length - 1;
      let more = 0;
      for (let at = 1; at < last; at++) if (escaped[plain[at]!] !== undefined) more += 1;
      if (more === 0) return plain;
      const bytes = new Uint8Array(plain.length + more);
      let length = 0;
      for (let at = 0; at <= last; at++) {
        const pair = at === 0 || at === last ? undefined : escaped[plain[at]!];
        bytes[length++] = pair?.[0] ?? plain[at]!;
        if (pair !== undefined) bytes[length++] = pair[1];
      }
      return bytes;
    },
  };
}
