import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Writes the software bill of materials (CycloneDX 1.5, JSON) of what runs in production to dist/sbom.cdx.json, or to the
 * file that is given. It is made from package-lock.json, without the network and without installed packages.
 */
const USAGE = `usage: npm run sbom [-- file]
Writes the software bill of materials (CycloneDX 1.5, JSON) to the file, by default dist/sbom.cdx.json.`;
const root = join(import.meta.dirname, '..');
const { file, help } = readArguments();
if (help) {
  process.stdout.write(`${USAGE}\n`);
  process.exit();
}
const output = resolve(file ?? join(root, 'dist', 'sbom.cdx.json'));
const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
const text = execFileSync('npm', ['sbom', ...options], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
const bom = JSON.parse(text);

// `--omit dev` of npm also omits what production and development both need: what production needs is found here
const { name, version, dependencies } = read('package.json');
const { packages } = read('package-lock.json');
const graph = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
const needed = new Set();
const visit = (ref) => {
  if (needed.has(ref)) return;
  needed.add(ref);
  for (const next of graph.get(ref) ?? []) visit(next);
};
const direct = Object.keys(dependencies).map((each) => `${each}@${packages[`node_modules/${each}`].version}`);
for (const ref of direct) visit(ref);

const own = bom.metadata.component;
// npm names the project by its folder
own.name = name;
bom.components = bom.components.filter((component) => needed.has(component['bom-ref']));
bom.dependencies = [
  { ref: own['bom-ref'], dependsOn: direct },
  ...bom.dependencies.filter(({ ref }) => needed.has(ref) && ref !== own['bom-ref']),
];
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${JSON.stringify(bom, null, 2)}\n`);
process.stdout.write(`${output}: ${name} ${version}, ${bom.components.length} components\n`);

/** Ends the process with status 2 if the arguments are not those of the usage text. */
function readArguments() {
  try {
    const options = { help: { type: 'boolean', short: 'h' } };
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (positionals.length > 1) throw new TypeError('more than one file');
    return { file: positionals[0], help: values.help === true };
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    process.exit(2);
  }
}
