import type { RecordSchema, Schema } from './schema.ts';

// Facts: Apache Avro specification, binary encoding.

type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [name: string]: Value };

/** Bytes of a value. Throws TypeError if the value does not fit the schema. */
export function encodeAvro(schema: RecordSchema, value: Value): Buffer {
  const parts: Buffer[] = [];
  write(schema, value, parts, schema.name);
  return Buffer.concat(parts);
}

function write(schema: Schema, value: Value, parts: Buffer[], path: string): void {
  const misfit = (): TypeError => new TypeError(`${path} does not fit its Avro schema`);
  if (Array.isArray(schema)) {
    const branch = (schema as readonly Schema[]).findIndex((one) => fits(one, value));
    if (branch < 0) throw misfit();
    parts.push(long(branch));
    write((schema as readonly Schema[])[branch]!, value, parts, path);
    return;
  }
  const one = schema as Exclude<Schema, readonly Schema[]>;
  const type = typeof one === 'string' ? one : one.type;
  if (!fits(one, value)) throw misfit();
  if (type === 'boolean') parts.push(Buffer.of(value === true ? 1 : 0));
  else if (type === 'long') parts.push(long(value as number));
  else if (type === 'double') parts.push(double(value as number));
  else if (type === 'string') parts.push(...text(value as string));
  else if (typeof one === 'object') writeComplex(one, value, parts, path);
}

function writeComplex(schema: Extract<Schema, { type: string }>, value: Value, parts: Buffer[], path: string): void {
  const members = value as { readonly [name: string]: Value };
  if (schema.type === 'record') {
    for (const { name, type } of schema.fields) write(type, members[name], parts, `${path}.${name}`);
    return;
  }
  const items = schema.type === 'array' ? (value as readonly Value[]) : Object.entries(members);
  if (items.length > 0) parts.push(long(items.length));
  if (schema.type === 'array') for (const item of items) write(schema.items, item as Value, parts, `${path}[]`);
  else if (schema.type === 'map') {
    for (const [name, item] of Object.entries(members)) {
      parts.push(...text(name));
      write(schema.values, item, parts, `${path}.${name}`);
    }
  }
  parts.push(long(0));
}

function fits(schema: Schema, value: Value): boolean {
  if (typeof schema === 'object' && !('type' in schema)) return schema.some((one) => fits(one, value));
  const type = typeof schema === 'string' ? schema : schema.type;
  switch (type) {
    case 'null':
      return value === null || value === undefined;
    case 'boolean':
    case 'string':
      return typeof value === type;
    case 'long':
      return Number.isSafeInteger(value);
    case 'double':
      return typeof value === 'number';
    case 'array':
      return Array.isArray(value);
    case 'map':
    case 'record':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
  }
}

/** Variable length, seven bits in a byte, with the sign in the lowest bit. */
function long(value: number): Buffer {
  let rest = value < 0 ? BigInt(value) * -2n - 1n : BigInt(value) * 2n;
  const bytes: number[] = [];
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function text(value: string): [Buffer, Buffer] {
  const bytes = Buffer.from(value);
  return [long(bytes.length), bytes];
}
