import { createHash } from 'node:crypto';
import type { Schema } from './schema.ts';

/** Parsing canonical form (Avro specification, transforming into parsing canonical form): only what readers need. */
export function canonicalForm(schema: Schema): string {
  if (typeof schema === 'string') return JSON.stringify(schema);
  if (!('type' in schema)) return `[${schema.map(canonicalForm).join(',')}]`;
  switch (schema.type) {
    case 'long':
      return '"long"';
    case 'array':
      return `{"type":"array","items":${canonicalForm(schema.items)}}`;
    case 'map':
      return `{"type":"map","values":${canonicalForm(schema.values)}}`;
    case 'record': {
      const fields = schema.fields.map(({ name, type }) => `{"name":"${name}","type":${canonicalForm(type)}}`);
      return `{"name":"${schema.namespace}.${schema.name}","type":"record","fields":[${fields.join(',')}]}`;
    }
  }
}

/** SHA-256 of the parsing canonical form. */
export const fingerprintOf = (schema: Schema): string =>
  createHash('sha256').update(canonicalForm(schema)).digest('hex');
