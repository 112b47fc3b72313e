// `npm run new-protocol <id> [title]`: a folder of protocols/ in which only the tables remain to be written.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const [id, title = id, into = join(here, '..', 'protocols')] = process.argv.slice(2);

function end(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

if (id === undefined || !/^[a-z][a-z0-9]{1,31}$/.test(id))
  end('npm run new-protocol <id> [title]: an id is 2 to 32 of a-z and 0-9, and begins with a letter');
const folder = join(into, id);
if (existsSync(folder)) end(`${folder} is there already`);

const template = join(here, 'protocol-template');
mkdirSync(join(folder, 'fixtures'), { recursive: true });
const todo = [];
const files = readdirSync(template, { recursive: true }).filter((name) => /\.(ts|json)$/.test(name));
for (const name of files.sort()) {
  const text = made(name, readFileSync(join(template, name), 'utf8'));
  writeFileSync(join(folder, name), text);
  for (const [, what] of text.matchAll(/TODO ([^.\n]*)/g)) todo.push(`  ${name}: ${what}`);
}
process.stdout.write(`${folder}: a made-up protocol that keeps the laws. Write over it, from the vendor's document:

${todo.filter((line, at) => todo.indexOf(line) === at).join('\n')}

Then: npm run docs; npx vitest run test/conformance -t ${id}; npm run fuzz -- --protocol ${id}
`);

/** The template speaks of `acme`; checksums of its sentences are worked out anew. */
function made(name, text) {
  const renamed = text.replaceAll('acme', id).replaceAll('Acme', title.replaceAll(/['\\]/g, ''));
  if (!name.endsWith('.json')) return renamed;
  return renamed.replaceAll(/\$(\w+,[^*"]*)\*[0-9A-F]{2}/g, (_, body) => {
    const sum = [...body].reduce((xor, letter) => xor ^ letter.charCodeAt(0), 0);
    return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}
