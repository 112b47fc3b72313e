// Removes from node_modules what a server never loads: compilers that packages name as peers, type declarations, source
// maps, static libraries, builds for browsers, tests and documentation. Licences stay. Run in the folder above node_modules, after an install
// without development packages.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Packages that others name as peers for their types, and never load. */
const PACKAGES = ['typescript', '@typescript'];
const FILES = /\.(map|md|markdown|flow|tsbuildinfo|a)$|\.d\.[cm]?ts$|(?<!\.d)\.[cm]?tsx?$/i;
const LICENCE = /^(licen[cs]e|notice|copying)/i;
/** Folders with this name at the root of a package. */
const FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'docs',
  'doc',
  'example',
  'examples',
  'benchmark',
  'benchmarks',
  'coverage',
  '.github',
  '.yarn',
]);
/** Builds for browsers and bundlers, which Node.js does not resolve, and faces that no document uses. */
const PARTS = [
  // an application of ES modules loads these alone
  /^@modelcontextprotocol\/[^/]+\/dist\/.*\.cjs$/,
  /^@modelcontextprotocol\/[^/]+\/dist\/(cfWorker|shims(Browser|Workerd))/,
  /^@(aws-sdk|smithy)\/[^/]+\/dist-(es|types)\//,
  /^@swc\/helpers\/src\//,
  /^brotli\/(build|enc)\//,
  /^bullmq\/dist\/esm\//,
  /^lodash\/fp\//,
  /^csv-parse\/dist\/(esm|iife|umd)\//,
  /^fflate\/umd\//,
  /^fontkit\/src\//,
  /^luxon\/(src|build\/(amd|cjs-browser|global))\//,
  /^mqtt\/dist\//,
  /^msgpackr\/dist\/(?!node\.cjs$)/,
  /^otpauth\/dist\/(?!otpauth\.node\.[cm]js$)/,
  /^pako\/dist\//,
  /^pdfkit\/js\/pdfkit\.(browser|old|standalone)/,
  /^pdfkit\/js\/data\/(Times|Courier|Symbol|ZapfDingbats)/,
  /^yaml\/browser\//,
  /^fontkit\/dist\/browser/,
  /^dejavu-fonts-ttf\/\w+\.txt$/,
  /^dejavu-fonts-ttf\/ttf\/(?!DejaVuSansCondensed(-Bold)?\.ttf$)/,
];

const root = 'node_modules';

for (const name of PACKAGES) rmSync(join(root, name), { recursive: true, force: true });
for (const name of packages(root)) prune(name, '');

/** Names of the packages in a folder, also those of scopes. */
function packages(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
    );
}

function prune(name, below) {
  for (const entry of readdirSync(join(root, name, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const whole = join(root, name, path);
    if (entry.isDirectory()) {
      if (below === '' && FOLDERS.has(entry.name)) rmSync(whole, { recursive: true });
      else prune(name, path);
    } else if (
      (FILES.test(entry.name) && !LICENCE.test(entry.name)) ||
      PARTS.some((part) => part.test(`${name}/${path}`))
    ) {
      rmSync(whole);
    }
  }
}
