import type { Socket } from 'node:net';

/** The fields of a Bind message, as pg's connection takes them. */
interface BindConfig {
  readonly portal?: string;
  readonly statement?: string;
  readonly binary?: boolean;
  readonly values?: readonly unknown[];
  readonly valueMapper?: (value: unknown, index: number) => Buffer | string | null | undefined;
}

export interface Binder {
  readonly stream: Socket;
  bind(config: BindConfig): void;
}

/** Values of this size and more are separate buffers of the write. */
const MIN_SEPARATE_WRITE_BYTES = 4_096;

/**
 * Large values leave as they are: pg copies each of them into a message that grows as it does, which for a batch of
 * columns is several times its size, all of it garbage. The buffers must stay as they are until the statement has been
 * answered. Format: PostgreSQL's documentation, 54.7, Bind.
 */
export function bindLargeValues(connection: Binder): void {
  const usual = connection.bind.bind(connection);
  connection.bind = (config) => {
    const { values = [] } = config;
    if (values.some((value) => value instanceof Buffer && value.length >= MIN_SEPARATE_WRITE_BYTES))
      send(connection.stream, config);
    else usual(config);
  };
}

function send(stream: Socket, { portal = '', statement = '', binary = false, values = [], valueMapper }: BindConfig) {
  const parts: Buffer[] = [Buffer.from(`B\0\0\0\0${portal}\0${statement}\0`)];
  const mapped = values.map((value, index) => (valueMapper === undefined ? value : valueMapper(value, index)));
  const formats = Buffer.alloc(2 + 2 * mapped.length + 2);
  formats.writeInt16BE(mapped.length, 0);
  for (const [index, value] of mapped.entries()) formats.writeInt16BE(value instanceof Buffer ? 1 : 0, 2 + 2 * index);
  formats.writeInt16BE(mapped.length, 2 + 2 * mapped.length);
  parts.push(formats);
  for (const value of mapped) {
    const bytes = value === null || value === undefined ? undefined : value instanceof Buffer ? value : text(value);
    const length = Buffer.alloc(4);
    length.writeInt32BE(bytes?.length ?? -1);
    parts.push(length);
    if (bytes !== undefined) parts.push(bytes);
  }
  const results = Buffer.alloc(4);
  results.writeInt16BE(1, 0);
  results.writeInt16BE(binary ? 1 : 0, 2);
  parts.push(results);
  parts[0]!.writeInt32BE(parts.reduce((sum, { length }) => sum + length, 0) - 1, 1);
  if (!stream.writable) return;
  stream.cork();
  for (const part of gathered(parts)) stream.write(part);
  stream.uncork();
}

const text = (value: unknown): Buffer => Buffer.from(String(value));

/** Adjacent small values are joined into one write. */
function gathered(parts: readonly Buffer[]): Buffer[] {
  const out: Buffer[] = [];
  let small: Buffer[] = [];
  for (const part of parts) {
    if (part.length < MIN_SEPARATE_WRITE_BYTES) {
      small.push(part);
      continue;
    }
    if (small.length > 0) out.push(Buffer.concat(small));
    small = [];
    out.push(part);
  }
  if (small.length > 0) out.push(Buffer.concat(small));
  return out;
}
