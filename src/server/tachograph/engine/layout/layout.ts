/** Called when a value is read with a deviation from the document. */
export type Note = (detail: string) => void;

/**
 * A value of a fixed number of bytes, read and written. The caller ensures that `size` bytes are there, so that reading
 * never fails, for any bytes.
 */
export interface Layout<T> {
  readonly size: number;
  read(bytes: Uint8Array, at: number, note: Note): T;
  write(bytes: Uint8Array, at: number, value: T): void;
  /** The layout of a record of `size` bytes, of one to which later versions add. */
  growTo?(size: number): Layout<T>;
}

type Fields<T> = { readonly [K in keyof T]: Layout<Exclude<T[K], undefined>> };

/** Consecutive fields, in the order of the object's keys. */
export function struct<T extends object>(fields: Fields<T>): Layout<T> {
  const names = Object.keys(fields);
  const layouts = Object.values(fields) as Layout<unknown>[];
  return {
    size: layouts.reduce((sum, { size }) => sum + size, 0),
    read(bytes, at, note) {
      const record: Record<string, unknown> = {};
      let offset = at;
      for (let index = 0; index < names.length; index++) {
        record[names[index]!] = layouts[index]!.read(bytes, offset, note);
        offset += layouts[index]!.size;
      }
      return record as T;
    },
    write(bytes, at, value) {
      let offset = at;
      for (const [index, layout] of layouts.entries()) {
        layout.write(bytes, offset, (value as Record<string, unknown>)[names[index]!]);
        offset += layout.size;
      }
    },
  };
}

/** A record that later versions extend at its end: unknown bytes are kept as hexadecimal in `further`. */
export const growing = <T extends { readonly further?: string }>(known: Layout<T>): Layout<T> => ({
  ...known,
  growTo: (size) => withFurther(known, size),
});

function withFurther<T extends { readonly further?: string }>(known: Layout<T>, size: number): Layout<T> {
  const rest = hex(Math.max(0, size - known.size));
  if (rest.size === 0) return known;
  return {
    size,
    read: (bytes, at, note) => ({
      ...known.read(bytes, at, note),
      further: rest.read(bytes, at + known.size, note),
    }),
    write(bytes, at, value) {
      known.write(bytes, at, value);
      rest.write(bytes, at + known.size, value.further ?? '');
    },
  };
}

function unsigned(size: 1 | 2 | 3 | 4): Layout<number> {
  const last = size - 1;
  return {
    size,
    read(bytes, at) {
      let value = bytes[at]!;
      for (let i = 1; i <= last; i++) value = value * 256 + bytes[at + i]!;
      return value;
    },
    write(bytes, at, value) {
      let rest = value;
      for (let i = size - 1; i >= 0; i--) {
        bytes[at + i] = rest % 256;
        rest = Math.floor(rest / 256);
      }
    },
  };
}

export const u8 = unsigned(1);
export const u16 = unsigned(2);
export const u24 = unsigned(3);
export const u32 = unsigned(4);

/** The same bytes with another meaning. */
export function mapped<A, B>(inner: Layout<A>, from: (value: A) => B, to: (value: B) => A): Layout<B> {
  return {
    size: inner.size,
    read: (bytes, at, note) => from(inner.read(bytes, at, note)),
    write: (bytes, at, value) => inner.write(bytes, at, to(value)),
  };
}

/** Bytes as lower-case hexadecimal. */
export function hex(size: number): Layout<string> {
  return {
    size,
    read: (bytes, at) => Buffer.from(bytes.buffer, bytes.byteOffset + at, size).toString('hex'),
    write(bytes, at, value) {
      bytes.set(Buffer.from(value, 'hex').subarray(0, size), at);
    },
  };
}

/** TimeReal: seconds UTC; all zeros and all ones mean no time. */
export const time: Layout<number | null> = mapped(
  u32,
  (value) => (value === 0 || value === 0xffff_ffff ? null : value),
  (value) => value ?? 0,
);

/** A mandatory time: 0 if it is missing, which marks the slot as empty. */
export const ownTime: Layout<number> = mapped(
  time,
  (value) => value ?? 0,
  (value) => value,
);

export const odometer: Layout<number | null> = mapped(
  u24,
  (value) => (value === 0xff_ffff ? null : value),
  (value) => value ?? 0xff_ffff,
);

/** Four decimal digits in two bytes. */
export const bcd16: Layout<number> = mapped(
  u16,
  (value) => (value >> 12) * 1000 + ((value >> 8) & 15) * 100 + ((value >> 4) & 15) * 10 + (value & 15),
  (value) => Number.parseInt(String(value), 16),
);

/** Datef, `yyyymmdd` in decimal digits. */
export const dateOfBirth: Layout<string | null> = mapped(
  hex(4),
  (digits) => (/^0*$|[a-f]/.test(digits) ? null : `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`),
  (date) => date?.replaceAll('-', '') ?? '00000000',
);
