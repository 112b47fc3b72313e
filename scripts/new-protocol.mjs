// `npm run new-protocol -- <id> [title] [--text|--binary|--http]`: a folder of protocols/ that passes the conformance
// rules as it is.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const USAGE = 'npm run new-protocol -- <id> [title] [--text|--binary|--http]';
const KINDS = ['text', 'binary', 'http'];

function end(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

function readArguments() {
  const flag = { type: 'boolean' };
  const options = { text: flag, binary: flag, http: flag, folder: { type: 'string' } };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return end(`${USAGE}: ${error.message}`);
  }
}

const { values, positionals } = readArguments();
const [id, title = id] = positionals;
const kinds = KINDS.filter((kind) => values[kind]);
if (kinds.length > 1) end(`${USAGE}: only one kind`);
const kind = kinds[0] ?? 'text';
if (id === undefined || !/^[a-z][a-z0-9]{1,31}$/.test(id))
  end(`${USAGE}: an id has 2 to 32 characters of a-z and 0-9, and begins with a letter`);
const folder = join(values.folder ?? join(here, '..', 'protocols'), id);
if (existsSync(folder)) end(`${folder} exists already`);

const template = join(here, 'protocol-template', kind);
mkdirSync(join(folder, 'fixtures'), { recursive: true });
const todo = new Set();
const files = readdirSync(template, { recursive: true }).filter((name) => /\.(ts|json)$/.test(name));
for (const name of files.sort()) {
  const made = readFileSync(join(template, name), 'utf8');
  const text = made.replaceAll('acme', id).replaceAll('Acme', title.replaceAll(/['\\]/g, ''));
  writeFileSync(join(folder, name), text);
  for (const [, what] of text.matchAll(/TODO ([^.\n]*)/g)) todo.add(`  ${name}: ${what}`);
}
process.stdout.write(`${folder}: a made-up protocol that passes the conformance rules.

1. fixtures/: messages of the vendor's document, and what they mean. {length:2} and {checksum:2} stand for so many bytes
   of a frame ("wire": "5aa5{length:2}03{checksum:2}"); once frame.ts is written, npm run fixture -- ${id} fills them in.
2. Replace, from the vendor's document:
${[...todo].join('\n')}
3. npm run fixture -- ${id}; npm run conformance -- ${id}; npm run docs; npm run fuzz -- --protocol ${id}
`);
